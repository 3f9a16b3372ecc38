import Quantities
import RunLog

/// The grammar of what an app hears of its background sessions (behaviour B2).
///
///     of an upload: didSendBodyData* didComplete
///     of a download: (didResume | didWriteData)* didFinishDownloading? didComplete
///     of a session for whose events the system runs the app:
///         handleEvents, the events of its tasks, didFinishEvents, the app calls the handler
///
/// Who is launched by the user has no handler, and no end of events.
struct TaskGrammar: Sendable {
    private var completed: Set<ItemName> = []
    /// What was told last, and may not have been confirmed yet.
    private var lastTold: [(task: ItemName, at: Instant)] = []
    /// Those of which the daemon's store may still say that they have to be told.
    private var refused: [ItemName] = []
    /// Downloads of which this launch has the file.
    private var downloaded: Set<ItemName> = []
    private var waits: [String: Wait] = [:]

    /// How far the events of a session have come in this launch.
    private enum Wait: Sendable { case handled, finished, called }

    /// What the grammar has instead.
    struct Slip: Error, Hashable {
        var expected: String
    }

    /// A handler is of one launch.
    mutating func launched() {
        waits = [:]
        downloaded = []
    }

    /// A confirmation that was on its way into the daemon's store is lost with the power, and then
    /// the end is told again: better twice than never.
    mutating func powerIsLost(at now: Instant) {
        for told in lastTold where told.at + Self.confirmationTime >= now {
            completed.remove(told.task)
        }
        lastTold = []
    }

    /// The daemon's store does not take something: what it was just told may be told again.
    mutating func storeRefuses(at now: Instant) {
        refused += lastTold.filter { $0.at + Self.confirmationTime >= now }.map(\.task)
    }

    /// It goes by what its store holds.
    mutating func daemonBegins() {
        completed.subtract(refused)
        refused = []
    }

    /// The message, and the store's commit.
    private static let confirmationTime = TimeSpan.milliseconds(10)

    mutating func read(_ fact: BackgroundFact, at now: Instant) throws(Slip) {
        switch fact {
        case .refused, .woken, .tasksWereLost: break
        case .callback(let task, let callback):
            guard !completed.contains(task) else {
                throw Slip(expected: "no callback of \(task) after it did complete")
            }
            guard !downloaded.contains(task) || callback.isEnd else {
                throw Slip(expected: "didComplete of \(task), as it did finish downloading")
            }
            switch callback {
            case .didComplete:
                completed.insert(task)
                lastTold.removeAll { $0.at + Self.confirmationTime < now }
                lastTold.append((task, now))
            case .didFinishDownloading: downloaded.insert(task)
            case .didSendBodyData, .didResume, .didWriteData: break
            }
        case .handleEvents(let session): waits[session] = .handled
        case .didFinishEvents(let session):
            guard waits[session] == .handled else {
                throw Slip(expected: "events of “\(session)” end once, after they were announced")
            }
            waits[session] = .finished
        case .handlerCalled(let session):
            // How often it is called is for S11 to judge.
            guard waits[session] == .finished || waits[session] == .called else {
                throw Slip(expected: "the handler of “\(session)” is called after its events")
            }
            waits[session] = .called
        }
    }
}

extension TaskCallback {
    fileprivate var isEnd: Bool {
        if case .didComplete = self { true } else { false }
    }
}
