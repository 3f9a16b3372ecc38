package import Quantities

/// Background sessions as the app sees them.
package enum BackgroundFact: Hashable, Sendable, Codable {
    /// The session refused a task with this error.
    case refused(reason: String)
    case callback(ItemName, TaskCallback)
    /// The system runs the app in the background, because events of its sessions are waiting.
    case woken
    /// The system lost at least these tasks of the app, because its store was damaged.
    case tasksWereLost([ItemName])
    /// The system has events for the session with this identifier, and waits for the app to call
    /// the handler.
    case handleEvents(session: String)
    case didFinishEvents(session: String)
    /// `offMainThread` is set if the app calls it on another thread than the main one.
    case handlerCalled(session: String, offMainThread: Bool? = nil)
    /// The session listed its tasks that have not finished.
    case listed(session: String, [ItemName])
    /// The session has ended, and tells its delegate nothing more.
    case didBecomeInvalid(session: String)

    // The names in `events.jsonl`, also of values without a label.
    private enum CodingKeys: CodingKey, CaseIterable {
        case refused, callback, woken, tasksWereLost, handleEvents, didFinishEvents, handlerCalled
        case listed, didBecomeInvalid
    }
    private enum ListedCodingKeys: String, CodingKey { case session, _1 = "tasks" }
    private enum TasksWereLostCodingKeys: String, CodingKey { case _0 = "tasks" }
    private enum CallbackCodingKeys: String, CodingKey { case _0 = "task", _1 = "call" }

    package var sentence: String {
        switch self {
        case .refused(let reason): "a background session refuses: \(reason)"
        case .callback(let task, let callback): "\(task) \(callback.sentence)"
        case .tasksWereLost(let tasks):
            "the app hears that the system has lost tasks"
                + (tasks.isEmpty ? "" : ", \(tasks.listed)")
        case .woken: "the system runs the app for its background sessions"
        case .handleEvents(let session): "the app is to handle events of “\(session)”"
        case .didFinishEvents(let session): "no events of “\(session)” are left"
        case .handlerCalled(let session, let isOff):
            "the app calls the handler of “\(session)”"
                + (isOff == true ? " on a thread that is not the main one" : "")
        case .listed(let session, let tasks):
            "“\(session)” has " + (tasks.isEmpty ? "no task" : tasks.listed)
        case .didBecomeInvalid(let session): "“\(session)” did become invalid"
        }
    }
}

/// A delegate call about a task of a background session (behaviour B2).
package enum TaskCallback: Hashable, Sendable, Codable {
    /// `bytes` are those since the last callback of this kind.
    case didSendBodyData(bytes: ByteCount, sent: ByteCount, expected: ByteCount)
    case didResume(offset: ByteCount, expected: ByteCount)
    case didWriteData(bytes: ByteCount, written: ByteCount, expected: ByteCount)
    /// More of the body of the answer to an upload.
    case didReceiveData(bytes: ByteCount)
    /// The file is what the server has answered, whatever the status.
    case didFinishDownloading(status: Int)
    /// `canResume` is set if the app got data to continue the download in another task.
    case didComplete(TaskEnd, canResume: Bool? = nil)

    // The names in `events.jsonl`, also of values without a label.
    private enum CodingKeys: CodingKey, CaseIterable {
        case didSendBodyData, didResume, didWriteData, didReceiveData, didFinishDownloading
        case didComplete
    }
    private enum DidCompleteCodingKeys: String, CodingKey { case _0 = "end", canResume }

    package var sentence: String {
        switch self {
        case .didSendBodyData(_, let sent, let expected): "has sent \(sent) of \(expected)"
        case .didResume(let offset, let expected): "did resume at \(offset) of \(expected)"
        case .didWriteData(_, let written, let expected): "has written \(written) of \(expected)"
        case .didReceiveData(let bytes): "has received \(bytes) of an answer"
        case .didFinishDownloading(200): "did finish downloading"
        case .didFinishDownloading(let status): "did finish downloading, with status \(status)"
        case .didComplete(let end, let canResume):
            "did complete: \(end.sentence)" + (canResume == true ? ", and can be resumed" : "")
        }
    }
}

/// The end of a task: an answer with any status, or an error of the transport (B8).
package enum TaskEnd: Hashable, Sendable, Codable {
    case answered(status: Int)
    /// Codes and messages are those of `URLError`.
    case failed(code: Int, message: String)

    private enum CodingKeys: CodingKey, CaseIterable { case answered, failed }

    package var sentence: String {
        switch self {
        case .answered(let status): "answered \(status)"
        case .failed(let code, let message): "failed with error \(code), \(message)"
        }
    }
}
