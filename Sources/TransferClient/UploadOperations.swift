public import Quantities
public import TransferEngine

/// The upload operations of an app's process (behaviour U). Each is in one of three lists; an
/// operation that has ended leaves its list after a while.
///
/// Nothing survives the process (U7).
public final class UploadOperations {
    /// Hears of every change through one notification (U3).
    public weak var observer: (any UploadOperationsObserver)?
    public private(set) var ongoing: [UploadOperation] = []
    public private(set) var completed: [UploadOperation] = []
    public private(set) var failed: [UploadOperation] = []
    private let host: any TransferHost

    public init(host: any TransferHost) { self.host = host }

    /// Starts an upload. The app chooses the number, which must be unique in the process.
    public func upload(
        _ number: UInt64, fromFile source: String, to account: Account, path: String,
        refreshesToken: Bool = false
    ) -> UploadOperation {
        let operation = UploadOperation(OperationID(number), source, of: host)
        waiting.append(operation)
        let request = OperationRequest(
            account: account, source: source, destination: path, refreshesToken: refreshesToken)
        host.submit(.operation(.start(operation.id, request)))
        return operation
    }

    /// Repeats a failed operation from byte 0, listed or not (U6).
    public func retry(_ operation: UploadOperation) {
        waiting.append(operation)
        host.submit(.operation(.retry(operation.id)))
    }

    /// Removes all operations that have ended from the lists. Ongoing operations continue.
    public func flush() { host.submit(.operation(.flush)) }

    // MARK: What the host tells

    /// Operations that were submitted and not heard of since.
    private var waiting: [UploadOperation] = []

    /// Called by the host, on its queue, for each piece of news of the engine.
    public func deliver(_ news: OperationNews, of id: OperationID) {
        guard let operation = operation(id, hearing: news) else { return }
        operation.hear(news)
        guard let change = UploadOperationChange(news) else { return }
        observer?.uploadOperation(operation, did: change)
    }

    /// Called by the host for each refusal. Nothing has changed.
    public func deliver(_ refusal: OperationRefusal) {
        switch refusal {
        case .numberInUse(let id), .noSuchOperation(let id), .notFailed(let id, _),
            .notInitialised(let id?):
            if let place = waiting.lastIndex(where: { $0.id == id }) { waiting.remove(at: place) }
        case .notInitialised(nil): break
        case .accountWithoutHost, .accountWithoutCredentials, .sourceOutsideContainer,
            .destinationOutsideDocroot:
            if !waiting.isEmpty { waiting.removeFirst() }
        }
        observer?.uploadOperationsRefused(refusal)
    }

    /// Moves the operation into the list where the news puts it, and returns it (U1).
    private func operation(
        _ id: OperationID, hearing news: OperationNews
    ) -> UploadOperation? {
        if case .progress = news { return ongoing.first { $0.id == id } }
        guard let operation = take(id, hearing: news) else { return nil }
        switch news {
        case .added, .progress: ongoing.append(operation)
        case .completed: completed.append(operation)
        case .failed: failed.append(operation)
        case .unlisted: break
        }
        return operation
    }

    /// Removes the operation from its list; a submission is answered by its own `added`.
    private func take(_ id: OperationID, hearing news: OperationNews) -> UploadOperation? {
        if case .added = news, let place = waiting.firstIndex(where: { $0.id == id }) {
            let operation = waiting.remove(at: place)
            failed.removeAll { $0 === operation }
            return operation
        }
        for list in [\UploadOperations.ongoing, \.completed, \.failed] {
            if let place = self[keyPath: list].firstIndex(where: { $0.id == id }) {
                return self[keyPath: list].remove(at: place)
            }
        }
        return nil
    }
}

/// An upload. It lasts as long as anybody holds it.
public final class UploadOperation {
    public let fileName: String
    public private(set) var progress: (done: ByteCount, total: ByteCount)?
    public private(set) var error: OperationError?
    let id: OperationID
    private let host: any TransferHost

    init(_ id: OperationID, _ source: String, of host: any TransferHost) {
        self.id = id
        self.host = host
        fileName = source.split(separator: "/").last.map(String.init) ?? source
    }

    deinit { host.submit(.operation(.forget(id))) }

    public var number: UInt64 { id.number }

    /// Progress from 0 to 1 (U4).
    public var fraction: Double {
        guard let progress else { return 0 }
        guard progress.total > .zero else { return 1 }
        return Double(progress.done.bytes) / Double(progress.total.bytes)
    }

    /// Cancels the operation (U5).
    public var task: UploadTask { UploadTask(id: id, host: host) }

    fileprivate func hear(_ news: OperationNews) {
        switch news {
        case .added:
            progress = nil
            error = nil
        case .progress(let done, let total): progress = (done, total)
        case .failed(let error): self.error = error
        case .completed, .unlisted: break
        }
    }
}

/// The task that carries out an operation.
public struct UploadTask {
    fileprivate let id: OperationID
    fileprivate let host: any TransferHost

    /// Cancels the operation, which can then be retried.
    public func cancel() { host.submit(.operation(.cancel(id))) }
}

/// The subject of a notification.
public enum UploadOperationChange: Hashable, Sendable {
    case added, progress, completed
    case failed(OperationError)

    /// `nil` if the operation leaves its last list: no notification says so.
    fileprivate init?(_ news: OperationNews) {
        switch news {
        case .added: self = .added
        case .progress: self = .progress
        case .completed: self = .completed
        case .failed(let error): self = .failed(error)
        case .unlisted: return nil
        }
    }
}

/// Observes upload operations. Every method is optional.
public protocol UploadOperationsObserver: AnyObject {
    func uploadOperation(_ operation: UploadOperation, did change: UploadOperationChange)
    /// A command was refused. Nothing has changed.
    func uploadOperationsRefused(_ refusal: OperationRefusal)
}

extension UploadOperationsObserver {
    public func uploadOperation(_ operation: UploadOperation, did change: UploadOperationChange) {}
    public func uploadOperationsRefused(_ refusal: OperationRefusal) {}
}
