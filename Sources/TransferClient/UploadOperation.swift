public import Quantities
public import TransferEngine

/// An upload. It lasts as long as anybody holds it.
public final class UploadOperation {
    public let fileName: String
    /// Progress in bytes. The object stays the same when the operation is retried.
    public let progress: UploadProgress
    /// The task of the latest attempt, through which the operation is cancelled (U5).
    public private(set) var task: UploadTask
    public private(set) var error: OperationError?
    let id: OperationID
    private let host: any CommandDoor

    init(_ id: OperationID, _ source: String, of host: any CommandDoor) {
        self.id = id
        self.host = host
        fileName = source.split(separator: "/").last.map(String.init) ?? source
        progress = UploadProgress()
        task = UploadTask(of: id, host)
    }

    deinit { host.submit(.operation(.forget(id))) }

    public var number: UInt64 { id.number }

    /// Progress from 0 to 1 (U4).
    public var fraction: Double { progress.fraction }

    /// Makes the next attempt's task, which can be cancelled at once. An operation that is still
    /// ongoing keeps its task, as its retry will be refused.
    func prepareAttempt() {
        guard task.state == .completed else { return }
        task.isReplaced = true
        task = UploadTask(of: id, host)
    }

    /// Ends the task of an attempt that the engine has refused to begin.
    func refuse() {
        if !task.hasBegun { task.end(nil) }
    }

    func hear(_ news: OperationNews) {
        switch news {
        case .added:
            prepareAttempt()
            task.begin()
            progress.move(to: .zero, of: nil)
            error = nil
        case .progress(let done, let total):
            task.move(to: done, of: total)
            progress.move(to: done, of: total)
        case .failed(let error):
            self.error = error
            task.end(error)
        case .completed: task.end(nil)
        case .agedOut, .flushed: break
        }
    }
}

/// The progress of an operation in bytes, which is finer than a fraction (U4).
public final class UploadProgress {
    public private(set) var completed = ByteCount.zero
    /// The size of the file; `nil` until the first bytes have moved.
    public private(set) var total: ByteCount?
    /// Called after each change.
    public var onChange: ((UploadProgress) -> Void)?

    public var isFinished: Bool { completed == total }

    /// Progress from 0 to 1. An empty file has nothing left to do.
    public var fraction: Double {
        guard let total else { return 0 }
        return total == .zero ? 1 : Double(completed.bytes) / Double(total.bytes)
    }

    fileprivate func move(to completed: ByteCount, of total: ByteCount?) {
        (self.completed, self.total) = (completed, total)
        onChange?(self)
    }
}

/// The task that carries out one attempt of an operation. A retry is the work of another task.
public final class UploadTask {
    public private(set) var state = State.running
    /// Why the task failed; `nil` while it runs, if it succeeded, and if the engine has refused to
    /// begin it, which observers are told.
    public private(set) var error: OperationError?
    public private(set) var sent = ByteCount.zero
    public private(set) var expected: ByteCount?
    /// Whether the engine has begun the attempt.
    fileprivate private(set) var hasBegun = false
    /// Whether another attempt has its own task.
    fileprivate var isReplaced = false
    private let operation: OperationID
    private let host: any CommandDoor

    /// The states of a task, which cannot be suspended.
    public enum State: Hashable, Sendable { case running, cancelling, completed }

    fileprivate init(of operation: OperationID, _ host: any CommandDoor) {
        self.operation = operation
        self.host = host
    }

    /// Cancels the operation, which can then be retried. The task of an earlier attempt does
    /// nothing.
    public func cancel() {
        guard !isReplaced else { return }
        if state == .running { state = .cancelling }
        host.submit(.operation(.cancel(operation)))
    }

    fileprivate func begin() { hasBegun = true }

    fileprivate func move(to sent: ByteCount, of expected: ByteCount) {
        (self.sent, self.expected) = (sent, expected)
    }

    fileprivate func end(_ error: OperationError?) {
        state = .completed
        self.error = error
    }
}

/// The notification that the manager posts for every change (U3).
public struct UploadNotification {
    /// The name under which an app can post it to others.
    public static let name = "kOperationProgressChangedNotification"
    public let operation: UploadOperation
    public let change: UploadOperationChange
}

/// The subject of a notification.
public enum UploadOperationChange: Hashable, Sendable {
    case added, progress, completed
    case failed(OperationError)
    /// The operation has been in its list for long enough, and has left it.
    case agedOut
    /// The app has emptied the lists.
    case flushed

    init(_ news: OperationNews) {
        self =
            switch news {
            case .added: .added
            case .progress: .progress
            case .completed: .completed
            case .failed(let error): .failed(error)
            case .agedOut: .agedOut
            case .flushed: .flushed
            }
    }
}

/// Observes upload operations. Every method is optional.
public protocol UploadOperationsObserver: AnyObject {
    /// One of the operations has changed, and is already in the list where it now belongs.
    func uploadOperationsChanged(_ notification: UploadNotification)
    /// A command was refused. Nothing has changed.
    func uploadOperationsRefused(_ refusal: OperationRefusal)
}

extension UploadOperationsObserver {
    public func uploadOperationsChanged(_ notification: UploadNotification) {}
    public func uploadOperationsRefused(_ refusal: OperationRefusal) {}
}
