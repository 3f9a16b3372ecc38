import Quantities
import RunLog

/// The grammar of callbacks about background sessions (behaviour B2).
///
///     of an upload: didSendBodyData* didReceiveData? didComplete
///     of a download: (didResume | didWriteData)* didFinishDownloading? didComplete
///     of a session for whose events the system runs the app:
///         handleEvents, the events of its tasks, didFinishEvents, the app calls the handler
/// An app that the user launches has no handler, and no end of events. A session that did become
/// invalid is not heard of until the app has made another one.
struct TaskGrammar: Sendable {
    private var completed: Set<ItemName> = []
    /// The tasks that this app has made.
    private var accepted: Set<ItemName> = []
    /// The latest ends that were told, which may not be confirmed yet.
    private var lastTold: [(task: ItemName, at: Instant)] = []
    /// Tasks whose end the daemon may tell again, because its store refused the confirmation.
    private var refused: [ItemName] = []
    /// Downloads whose file this launch has.
    private var downloaded: Set<ItemName> = []
    private var waits: [String: Wait] = [:]

    /// The progress of a session's events in this launch.
    private enum Wait: Sendable { case handled, finished, called }

    var hasCompletedTasks: Bool { !completed.isEmpty }

    mutating func accepted(_ task: ItemName) { accepted.insert(task) }

    /// Begins a launch, which has handlers of its own.
    mutating func launched() {
        waits = [:]
        downloaded = []
    }

    /// Notes a loss of power. A confirmation on its way to the daemon's store is lost, and the end
    /// is told again.
    mutating func powerIsLost(at now: Instant) {
        for told in lastTold where told.at + Self.confirmationTime >= now {
            completed.remove(told.task)
        }
        lastTold = []
    }

    /// Notes that the daemon's store refuses a change, so that the latest ends may be told again.
    mutating func storeRefuses(at now: Instant) {
        refused += lastTold.filter { $0.at + Self.confirmationTime >= now }.map(\.task)
    }

    /// Notes that the daemon begins with the content of its store.
    mutating func daemonBegins() {
        completed.subtract(refused)
        refused = []
    }

    /// The time for the message and the store's commit.
    private static let confirmationTime = TimeSpan.milliseconds(10)

    mutating func read(_ fact: BackgroundFact, at now: Instant) throws(NotAllowed) {
        switch fact {
        case .refused, .woken, .tasksWereLost, .listed: break
        case .didBecomeInvalid(let session): waits[session] = nil
        case .callback(let task, let callback):
            guard accepted.contains(task) else {
                throw NotAllowed(expected: "callbacks only for tasks that the app has made")
            }
            guard !completed.contains(task) else {
                throw NotAllowed(expected: "no callback of \(task) after it has completed")
            }
            switch callback {
            case .didComplete:
                completed.insert(task)
                lastTold.removeAll { $0.at + Self.confirmationTime < now }
                lastTold.append((task, now))
            case .didSendBodyData, .didResume, .didWriteData, .didReceiveData,
                .didFinishDownloading:
                guard !downloaded.contains(task) else {
                    throw NotAllowed(
                        expected: "didComplete of \(task), because it has finished downloading")
                }
                if case .didFinishDownloading = callback { downloaded.insert(task) }
            }
        case .handleEvents(let session): waits[session] = .handled
        case .didFinishEvents(let session):
            guard waits[session] == .handled else {
                throw NotAllowed(
                    expected: "the events of “\(session)” end once, after they were announced")
            }
            waits[session] = .finished
        case .handlerCalled(let session, _):
            // S11 judges how often the handler is called.
            guard waits[session] == .finished || waits[session] == .called else {
                throw NotAllowed(expected: "the handler of “\(session)” is called after its events")
            }
            waits[session] = .called
        }
    }
}
