public import Quantities
import Synchronization
public import TransferEngine

/// The resumable transfers of an app's process (behaviour K). Each bucket has a manager, which
/// lists the transfers that have started and not ended.
///
/// Listed transfers survive the process; a launch finds them suspended (K4). Every method may be
/// called from any thread; the host calls the observers on a thread of its own.
public final class ResumableTransfers: Sendable {
    private let host: any CommandDoor
    private let known = Mutex(Known())
    private let numbers = TransferNumbers()

    private struct Known {
        var managers: [ResumableTransferManager] = []
        var hasEnded = false
    }

    public init(host: any CommandDoor) { self.host = host }

    /// Returns the bucket's manager. There is one for each bucket.
    public func manager(ofBucket bucket: String, in app: String) -> ResumableTransferManager {
        manager(scope: "\(app)/buckets/\(bucket)")
    }

    // MARK: What the host tells

    /// Called by the host, on its queue, when it carries out nothing more. Ends the sequences.
    public func hostHasEnded() {
        let all = known.withLock { known in
            known.hasEnded = true
            return known.managers
        }
        for manager in all { manager.hostHasEnded() }
    }

    /// Called by the host at a launch, with the transfers that the store holds.
    public func deliver(_ held: [EntryRecord]) {
        for record in held {
            numbers.note(record.id.number)
            manager(scope: record.bucket).list(record)
        }
    }

    /// Called by the host for each piece of news of a transfer.
    public func deliver(_ news: EntryNews, of id: EntryID) {
        transfer(id)?.hear(news)
    }

    /// Called by the host for each refusal. Nothing has changed.
    public func deliver(_ refusal: EntryRefusal) {
        transfer(refusal.id)?.hear(refusal)
    }

    private func manager(scope: String) -> ResumableTransferManager {
        known.withLock { known in
            if let manager = known.managers.first(where: { $0.scope == scope }) { return manager }
            let manager = ResumableTransferManager(scope, numbers, host)
            if known.hasEnded { manager.hostHasEnded() }
            known.managers.append(manager)
            return manager
        }
    }

    private func transfer(_ id: EntryID) -> ResumableTransfer? {
        for manager in known.withLock({ $0.managers }) {
            if let transfer = manager.transfer(id) { return transfer }
        }
        return nil
    }
}

/// The numbers of an app's resumable transfers, in all buckets.
private final class TransferNumbers: Sendable {
    private let last = Mutex<UInt64>(0)

    func note(_ number: UInt64) {
        guard TransferID.numbersOfApps.contains(number) else { return }
        last.withLock { $0 = max($0, number) }
    }

    /// Takes a number that no transfer has that is known to this process.
    func take() -> UInt64 {
        last.withLock { last in
            last += 1
            return last
        }
    }
}

/// The transfers of one bucket (K2).
public final class ResumableTransferManager: Sendable {
    let scope: String
    private let numbers: TransferNumbers
    private let host: any CommandDoor
    private let known = Mutex(Known())

    private struct Known {
        /// Transfers that have not started, or have ended. Only the app holds them.
        var others: [Unlisted] = []
        /// Transfers that were told to start and have not answered, so the app need not hold them.
        var starting: [ResumableTransfer] = []
        var transfers: [ResumableTransfer] = []
        var hasEnded = false
    }

    private struct Unlisted { weak var transfer: ResumableTransfer? }

    /// Ongoing and suspended transfers, in the order in which they started.
    public var transfers: [ResumableTransfer] { known.withLock { $0.transfers } }

    fileprivate init(_ scope: String, _ numbers: TransferNumbers, _ host: any CommandDoor) {
        self.scope = scope
        self.numbers = numbers
        self.host = host
    }

    /// Makes an upload of a file to an object, under the next number.
    public func uploader(
        of object: String, fromFile path: String, account: Account
    ) -> ResumableTransfer {
        make(numbers.take(), object, path, account, isDownload: false)
    }

    /// Makes a download of an object to a file, under the next number.
    public func downloader(
        of object: String, toFile path: String, account: Account
    ) -> ResumableTransfer {
        make(numbers.take(), object, path, account, isDownload: true)
    }

    /// Makes an upload of a file to an object. The app chooses the number, which must be unique
    /// among its transfers.
    public func uploader(
        _ number: UInt64, of object: String, fromFile path: String, account: Account
    ) -> ResumableTransfer {
        make(number, object, path, account, isDownload: false)
    }

    /// Makes a download of an object to a file.
    public func downloader(
        _ number: UInt64, of object: String, toFile path: String, account: Account
    ) -> ResumableTransfer {
        make(number, object, path, account, isDownload: true)
    }

    private func make(
        _ number: UInt64, _ object: String, _ path: String, _ account: Account, isDownload: Bool
    ) -> ResumableTransfer {
        numbers.note(number)
        let request = EntryRequest(
            account: account, bucket: scope, object: object, path: path, isDownload: isDownload)
        let transfer = ResumableTransfer(EntryID(number), request, of: self, host)
        known.withLock { $0.others.append(Unlisted(transfer: transfer)) }
        return transfer
    }

    fileprivate func list(_ record: EntryRecord) {
        let object = record.object.dropFirst(scope.count + "/objects/".count)
        let request = EntryRequest(
            account: record.account, bucket: scope, object: String(object), path: record.path,
            isDownload: record.isDownload)
        let transfer = ResumableTransfer(record, request, of: self, host)
        known.withLock { $0.transfers.append(transfer) }
    }

    fileprivate func transfer(_ id: EntryID) -> ResumableTransfer? {
        // Letting go of a transfer tells the host, which must not happen under the lock.
        let (listed, others) = known.withLock { ($0.transfers, $0.others.compactMap(\.transfer)) }
        return listed.first { $0.id == id } ?? others.first { $0.id == id }
    }

    fileprivate var hasEnded: Bool { known.withLock { $0.hasEnded } }

    fileprivate func hostHasEnded() {
        let all = known.withLock { known in
            known.hasEnded = true
            return known.transfers + known.others.compactMap(\.transfer)
        }
        for transfer in all { transfer.endEvents() }
    }

    /// Holds a transfer until the engine answers its start.
    fileprivate func hold(_ transfer: ResumableTransfer) {
        known.withLock { $0.starting.append(transfer) }
    }

    fileprivate func release(_ transfer: ResumableTransfer) {
        known.withLock { $0.starting.removeAll { $0 === transfer } }
    }

    /// Holds a transfer that has an entry, and releases it when the entry ends (K1).
    fileprivate func listIfNeeded(_ transfer: ResumableTransfer) {
        let isListed = transfer.status != .noEntry
        known.withLock { known in
            known.others.removeAll { $0.transfer == nil || $0.transfer === transfer }
            if !isListed {
                known.transfers.removeAll { $0 === transfer }
                known.others.append(Unlisted(transfer: transfer))
            } else if !known.transfers.contains(where: { $0 === transfer }) {
                known.transfers.append(transfer)
            }
        }
    }
}

/// A resumable upload or download.
public final class ResumableTransfer: Sendable {
    public let isDownload: Bool
    /// The object's identifier within its bucket.
    public let object: String
    let id: EntryID
    private let request: EntryRequest
    private weak let manager: ResumableTransferManager?
    private let host: any CommandDoor
    private let known: Mutex<Known>
    private let streams = EventStreams<ResumableTransferEvent>()

    private struct Known {
        var status: ResumableTransferStatus
        var info: ResumableTransferInfo
        var listener = Listener()
    }

    /// Only the reference crosses threads. The host alone calls the observer.
    private struct Listener: @unchecked Sendable {
        weak var observer: (any ResumableTransferObserver)?
    }

    fileprivate init(
        _ id: EntryID, _ request: EntryRequest, of manager: ResumableTransferManager,
        _ host: any CommandDoor, status: ResumableTransferStatus = .noEntry,
        info: ResumableTransferInfo = ResumableTransferInfo(done: .zero, total: nil)
    ) {
        self.id = id
        self.request = request
        self.manager = manager
        self.host = host
        isDownload = request.isDownload
        object = request.object
        known = Mutex(Known(status: status, info: info))
    }

    fileprivate convenience init(
        _ record: EntryRecord, _ request: EntryRequest, of manager: ResumableTransferManager,
        _ host: any CommandDoor
    ) {
        let info = ResumableTransferInfo(done: record.done, total: record.total)
        self.init(
            record.id, request, of: manager, host, status: record.state.status, info: info)
    }

    deinit { host.submit(.entry(.forget(id))) }

    public var number: UInt64 { id.number }
    public var status: ResumableTransferStatus { known.withLock { $0.status } }
    public var info: ResumableTransferInfo { known.withLock { $0.info } }

    /// Starts or continues the transfer. The observer hears of its progress (K10).
    public func transfer(_ observer: (any ResumableTransferObserver)?) {
        let listener = Listener(observer: observer)
        known.withLock { $0.listener = listener }
        manager?.hold(self)
        host.submit(.entry(.transfer(id, request)))
    }

    /// Suspends the transfer after the chunk in flight (K3).
    public func suspend() { host.submit(.entry(.suspend(id))) }

    /// Ends the transfer for good. The server discards what it has received.
    public func terminate() { host.submit(.entry(.terminate(id))) }

    /// Returns what an observer would hear from now on, as a sequence: an app reads it in a task,
    /// on any actor. Each call returns another sequence, which ends with the transfer's object.
    public func events(
        bufferingPolicy policy: AsyncStream<ResumableTransferEvent>.Continuation.BufferingPolicy =
            .unbounded
    ) -> AsyncStream<ResumableTransferEvent> {
        let stream = streams.open(policy)
        if manager?.hasEnded == true { endEvents() }
        return stream
    }

    fileprivate func endEvents() { streams.end() }

    fileprivate func hear(_ news: EntryNews) {
        known.withLock { known in
            switch news {
            case .ongoing: known.status = .ongoing
            case .progress(let done, let total):
                known.info = ResumableTransferInfo(done: done, total: total)
            case .suspended: known.status = .suspended
            case .completed, .ended: known.status = .noEntry
            }
        }
        manager?.listIfNeeded(self)
        manager?.release(self)
        switch news {
        case .ongoing: break
        case .progress: tell(.moved(info))
        case .completed: tell(.cameToRest(nil))
        case .suspended(let error), .ended(let error): tell(.cameToRest(error))
        }
    }

    fileprivate func hear(_ refusal: EntryRefusal) {
        manager?.release(self)
        tell(.refused(refusal))
    }

    private func tell(_ event: ResumableTransferEvent) {
        let observer = known.withLock { $0.listener }.observer
        switch event {
        case .moved: observer?.transferMoved(self)
        case .cameToRest(let error): observer?.transfer(self, cameToRestWith: error)
        case .refused(let refusal): observer?.transfer(self, refused: refusal)
        }
        streams.tell(event)
    }
}

/// What an observer hears of a transfer.
public enum ResumableTransferEvent: Hashable, Sendable {
    case moved(ResumableTransferInfo)
    /// Complete if there is no error. Otherwise the transfer's status says whether it can continue.
    case cameToRest(ResumableError?)
    /// Nothing has changed.
    case refused(EntryRefusal)
}

/// How far a transfer has come.
public struct ResumableTransferInfo: Hashable, Sendable {
    public var done: ByteCount
    /// Unknown for a download until the server has said it.
    public var total: ByteCount?

    public init(done: ByteCount, total: ByteCount?) {
        self.done = done
        self.total = total
    }
}

/// Observes a resumable transfer from its start on. Every method is optional.
public protocol ResumableTransferObserver: AnyObject {
    /// The transfer has moved; `info` says how far.
    func transferMoved(_ transfer: ResumableTransfer)
    /// The transfer is complete if `error` is `nil`. Otherwise `status` says whether it can
    /// continue.
    func transfer(_ transfer: ResumableTransfer, cameToRestWith error: ResumableError?)
    /// A command was refused. Nothing has changed.
    func transfer(_ transfer: ResumableTransfer, refused refusal: EntryRefusal)
}

extension ResumableTransferObserver {
    public func transferMoved(_ transfer: ResumableTransfer) {}
    public func transfer(
        _ transfer: ResumableTransfer, cameToRestWith error: ResumableError?
    ) {}
    public func transfer(_ transfer: ResumableTransfer, refused refusal: EntryRefusal) {}
}
