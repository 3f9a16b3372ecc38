import Quantities

/// What the machines of one process share: the numbers that they give out, what its store was asked
/// for, the time that it has in the background, and what the phone says of its network.
struct ProcessState: Hashable, Sendable {
    var background: BackgroundWork
    /// What the device says of its network, if it says anything.
    var network: NetworkStatus?
    var store = StoreLedger<StoreChange>()
    var connections = ConnectionTable()
    private var lastTransfer = TransferID(0)
    private var lastPath = PathID(0)

    init(background: BackgroundWork) { self.background = background }

    /// No number is given to two transfers of a store, over all launches.
    mutating func restore(lastTransfer: TransferID) { self.lastTransfer = lastTransfer }

    /// The numbers up to there are those of transfers that were lost with a damaged store.
    mutating func skip(through transfer: TransferID) {
        lastTransfer.number = max(lastTransfer.number, transfer.number)
    }

    mutating func nextTransfer() -> TransferID {
        lastTransfer.number += 1
        return lastTransfer
    }

    /// Of a path of a persistent session: it ends with the process.
    mutating func nextPath() -> TransferID {
        lastPath.number += 1
        return lastPath.transfer
    }
}
