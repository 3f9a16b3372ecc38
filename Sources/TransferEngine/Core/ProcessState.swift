import Quantities

/// State that the machines of one process share: numbers, requests to the store, time in the
/// background, and the phone's network.
struct ProcessState: Hashable, Sendable {
    /// Differs from that of any other process with transfers to the same servers.
    let identity: UInt64
    var background: BackgroundWork
    /// The device's network, once it has told.
    var network: NetworkStatus?
    var store = StoreLedger<StoreChange>()
    var connections = ConnectionTable()
    var credentials = CredentialKeeper()
    var requests = OpenRequests()
    private var lastTransfer = TransferID(0)
    private var lastPath = PathID(0)

    init(identity: UInt64, background: BackgroundWork) {
        self.identity = identity
        self.background = background
    }

    /// Continues the numbering of an earlier launch, so that each transfer of a store has its own
    /// number.
    mutating func restore(lastTransfer: TransferID) { self.lastTransfer = lastTransfer }

    /// Skips the numbers of transfers that were lost with a damaged store.
    mutating func skip(through transfer: TransferID) {
        lastTransfer.number = max(lastTransfer.number, transfer.number)
    }

    mutating func nextTransfer() -> TransferID {
        lastTransfer.number += 1
        return lastTransfer
    }

    /// Numbers a path of a persistent session, which ends with the process.
    mutating func nextPath() -> TransferID {
        lastPath.number += 1
        return lastPath.transfer
    }
}
