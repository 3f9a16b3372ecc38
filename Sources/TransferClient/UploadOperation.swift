public import Quantities
import Synchronization
public import TransferEngine

/// An upload. It lasts as long as anybody holds it.
public final class UploadOperation: Sendable {
    public let fileName: String
    /// Progress in bytes. The object stays the same when the operation is retried.
    public let progress = UploadProgress()
    let id: OperationID
    private let host: any CommandDoor
    private let latest: Mutex<Latest>

    private struct Latest {
        var task: UploadTask
        var error: OperationError?
    }

    init(_ id: OperationID, _ source: String, of host: any CommandDoor) {
        self.id = id
        self.host = host
        fileName = source.split(separator: "/").last.map(String.init) ?? source
        latest = Mutex(Latest(task: UploadTask(of: id, host)))
    }

    deinit { host.submit(.operation(.forget(id))) }

    public var number: UInt64 { id.number }

    /// The task of the latest attempt, through which the operation is cancelled (U5).
    public var task: UploadTask { latest.withLock { $0.task } }
    public var error: OperationError? { latest.withLock { $0.error } }

    /// Progress from 0 to 1 (U4).
    public var fraction: Double { progress.fraction }

    /// Makes the next attempt's task, which can be cancelled at once. An operation that is still
    /// ongoing keeps its task, as its retry will be refused.
    func prepareAttempt() {
        latest.withLock { latest in
            guard latest.task.replace() else { return }
            latest.task = UploadTask(of: id, host)
        }
    }

    /// Ends the task of an attempt that the engine has refused to begin.
    func refuse() { task.refuse() }

    func hear(_ news: OperationNews) {
        switch news {
        case .added:
            prepareAttempt()
            task.begin()
            progress.move(to: .zero, of: nil)
            latest.withLock { $0.error = nil }
        case .progress(let done, let total):
            task.move(to: done, of: total)
            progress.move(to: done, of: total)
        case .failed(let error):
            latest.withLock { $0.error = error }
            task.end(error)
        case .completed: task.end(nil)
        case .agedOut, .flushed: break
        }
    }
}

/// The progress of an operation in bytes, which is finer than a fraction (U4).
public final class UploadProgress: Sendable {
    private let known = Mutex(Known())

    private struct Known {
        var completed = ByteCount.zero
        var total: ByteCount?
        var listener = Listener()
    }

    /// The host alone calls it.
    private struct Listener: @unchecked Sendable {
        var onChange: ((UploadProgress) -> Void)?
    }

    public var completed: ByteCount { known.withLock { $0.completed } }
    /// The size of the file; `nil` until the first bytes have moved.
    public var total: ByteCount? { known.withLock { $0.total } }

    /// Called after each change, where observers are called.
    public var onChange: ((UploadProgress) -> Void)? {
        get { known.withLock { $0.listener }.onChange }
        set {
            let listener = Listener(onChange: newValue)
            known.withLock { $0.listener = listener }
        }
    }

    public var isFinished: Bool { known.withLock { $0.completed == $0.total } }

    /// Progress from 0 to 1. An empty file has nothing left to do.
    public var fraction: Double {
        let (completed, total) = known.withLock { ($0.completed, $0.total) }
        guard let total else { return 0 }
        return total == .zero ? 1 : Double(completed.bytes) / Double(total.bytes)
    }

    fileprivate func move(to completed: ByteCount, of total: ByteCount?) {
        known.withLock { ($0.completed, $0.total) = (completed, total) }
        onChange?(self)
    }
}

/// The task that carries out one attempt of an operation. A retry is the work of another task.
public final class UploadTask: Sendable {
    private let known = Mutex(Known())
    private let operation: OperationID
    private let host: any CommandDoor

    private struct Known {
        var state = State.running
        var error: OperationError?
        var sent = ByteCount.zero
        var expected: ByteCount?
        /// Whether the engine has begun the attempt.
        var hasBegun = false
        /// Whether another attempt has its own task.
        var isReplaced = false

        mutating func end(_ error: OperationError?) {
            state = .completed
            self.error = error
        }
    }

    /// The states of a task, which cannot be suspended.
    public enum State: Hashable, Sendable { case running, cancelling, completed }

    fileprivate init(of operation: OperationID, _ host: any CommandDoor) {
        self.operation = operation
        self.host = host
    }

    public var state: State { known.withLock { $0.state } }
    /// Why the task failed; `nil` while it runs, if it succeeded, and if the engine has refused to
    /// begin it, which observers are told.
    public var error: OperationError? { known.withLock { $0.error } }
    public var sent: ByteCount { known.withLock { $0.sent } }
    public var expected: ByteCount? { known.withLock { $0.expected } }

    /// Cancels the operation, which can then be retried. The task of an earlier attempt does
    /// nothing.
    public func cancel() {
        let isLatest = known.withLock { known in
            guard !known.isReplaced else { return false }
            if known.state == .running { known.state = .cancelling }
            return true
        }
        if isLatest { host.submit(.operation(.cancel(operation))) }
    }

    /// Gives way to the next attempt's task. Returns false if it is still at work.
    fileprivate func replace() -> Bool {
        known.withLock { known in
            guard known.state == .completed else { return false }
            known.isReplaced = true
            return true
        }
    }

    fileprivate func begin() { known.withLock { $0.hasBegun = true } }

    /// Ends an attempt that the engine has refused to begin.
    fileprivate func refuse() { known.withLock { if !$0.hasBegun { $0.end(nil) } } }

    fileprivate func move(to sent: ByteCount, of expected: ByteCount) {
        known.withLock { ($0.sent, $0.expected) = (sent, expected) }
    }

    fileprivate func end(_ error: OperationError?) { known.withLock { $0.end(error) } }
}

/// The notification that the manager posts for every change (U3).
public struct UploadNotification: Sendable {
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
