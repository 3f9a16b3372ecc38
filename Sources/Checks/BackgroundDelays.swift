import Quantities
import RunLog

/// The delays of tasks made in the background (B11): 60 s, doubled each time that the system runs
/// the app in the background for its sessions, and none once the app is in the foreground.
///
/// Each app has its own delay.
struct BackgroundDelays: Sendable {
    private var delay = BackgroundDelays.first
    private var isBehind = false
    /// The moment of the last change between foreground and background.
    private var since = Instant.start
    /// The earliest start of each waiting task.
    private var notBefore: [ItemName: Instant] = [:]
    private var known: Set<ItemName> = []
    /// Earlier delays, while a restart of the phone may undo the latest changes.
    private var unpromised: [Change] = []
    /// The delays that are possible since the restart.
    private var alternatives: [TimeSpan] = []

    private struct Change: Sendable {
        var before: TimeSpan
        /// The request to this phone's store that asks for the change.
        var request: Request?
    }

    private struct Request: Hashable {
        var device: UInt16?
        var ticket: UInt64
    }

    private static let first = TimeSpan.seconds(60)
    private static let longest = TimeSpan.seconds(7 * 24 * 3600)
    /// The longest time that an app's request takes to reach the system.
    private static let messageTime = TimeSpan.seconds(1)

    mutating func read(_ event: RunEvent) throws(Slip) {
        switch event.fact {
        case .device(.appEntered(_, let stage, _)): enter(stage, at: event.at)
        // An app that the user opens is in the foreground.
        case .device(.appLaunched(_, by: nil)): enter(.active, at: event.at)
        // A killed app no longer asks for anything in the background.
        case .device(.appKilled): isBehind = false
        case .background(.woken): becomes(min(delay * 2, Self.longest))
        case .daemon(.store(let fact, let device)): read(fact, device)
        case .engine(.delays(let task, let claimed)):
            known.insert(task)
            notBefore[task] = event.at + claimed
            if alternatives.contains(claimed) { delay = claimed }
            alternatives = []
            guard claimed != delay else { return }
            throw Slip(
                expected: "\(task) waits for \(delay), because it was made in the background",
                seen: "it waits for \(claimed)")
        case .engine(.accepts(let task, _, _)) where task.facade == .background:
            // A task that is reported again after a restart is not new.
            guard known.insert(task).inserted, isBehind, event.at > since + Self.messageTime
            else { return }
            throw Slip(
                expected: "\(task) waits for \(delay), because it was made in the background",
                seen: "it does not wait")
        case .engine(.attempt(let task, _)):
            guard let earliest = notBefore.removeValue(forKey: task), event.at < earliest else {
                return
            }
            throw Slip(
                expected:
                    "\(task) begins at \(earliest) or later, or while its app is in the foreground",
                seen: "it begins at \(event.at)")
        default: break
        }
    }

    /// Notes a new delay. The daemon's next request to its store asks for this change.
    private mutating func becomes(_ delay: TimeSpan) {
        guard self.delay != delay || !alternatives.isEmpty else { return }
        unpromised += ([self.delay] + alternatives).map { Change(before: $0) }
        alternatives = []
        self.delay = delay
    }

    private mutating func read(_ fact: StoreFact, _ device: UInt16?) {
        switch fact {
        case .requested(let ticket, _, _):
            let request = Request(device: device, ticket: ticket)
            for place in unpromised.indices where unpromised[place].request == nil {
                unpromised[place].request = request
            }
        case .committed(let ticket):
            let request = Request(device: device, ticket: ticket)
            if let place = unpromised.lastIndex(where: { $0.request == request }) {
                unpromised.removeFirst(place + 1)
            }
        case .opened:
            for change in unpromised where change.request?.device == device {
                alternatives.append(change.before)
            }
            unpromised.removeAll { $0.request?.device == device }
        // A new store begins with the first delay.
        case .setAside: alternatives.append(Self.first)
        case .failed: break
        }
    }

    private mutating func enter(_ stage: AppStage, at now: Instant) {
        switch stage {
        case .active, .inactive:
            becomes(Self.first)
            notBefore = [:]
            if isBehind { since = now }
            isBehind = false
        case .background:
            if !isBehind { since = now }
            isBehind = true
        case .suspended: break
        }
    }
}
