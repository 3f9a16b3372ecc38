import Quantities
import RunLog

/// How long tasks have to wait that an app makes in the background: 60 s, twice as long each time
/// the system runs it there for its sessions, and not at all once it is in front (behaviour B11).
///
/// Each app has its own.
struct BackgroundDelays: Sendable {
    private var delay = BackgroundDelays.first
    private var isBehind = false
    /// Since it is there, or is not.
    private var since = Instant.start
    /// When each of those that wait may begin.
    private var notBefore: [ItemName: Instant] = [:]
    private var known: Set<ItemName> = []
    /// What it was before its last changes, as long as a restart of the phone may undo them.
    private var unpromised: [Change] = []
    /// What it may be since the restart.
    private var alternatives: [TimeSpan] = []

    private struct Change: Sendable {
        var before: TimeSpan
        /// The request that asks for it, to the store of this phone.
        var request: Request?
    }

    private struct Request: Hashable {
        var device: UInt16?
        var ticket: UInt64
    }

    private static let first = TimeSpan.seconds(60)
    private static let longest = TimeSpan.seconds(7 * 24 * 3600)
    /// What the app asks for is on its way to the system so long at most.
    private static let messageTime = TimeSpan.seconds(1)

    /// What should have been, and what is.
    struct Slip: Error, Hashable {
        var expected: String
        var seen: String
    }

    mutating func read(_ event: RunEvent) throws(Slip) {
        switch event.fact {
        case .device(.appEntered(_, let stage, _)): enter(stage, at: event.at)
        // Whom the user opens, he has before him.
        case .device(.appLaunched(_, by: nil)): enter(.active, at: event.at)
        // What it had asked for is not made behind anybody's back.
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
                expected: "\(task) waits for \(delay), as it was made in the background",
                seen: "it waits for \(claimed)")
        case .engine(.accepts(let task, _, _)) where task.facade == .background:
            // One that it was told of again after a restart is not new.
            guard known.insert(task).inserted, isBehind, event.at > since + Self.messageTime
            else { return }
            throw Slip(
                expected: "\(task) waits for \(delay), as it was made in the background",
                seen: "it does not wait")
        case .engine(.attempt(let task, _)):
            guard let earliest = notBefore.removeValue(forKey: task), event.at < earliest else {
                return
            }
            throw Slip(
                expected: "\(task) begins at \(earliest) or later, or with its app in front",
                seen: "it begins at \(event.at)")
        default: break
        }
    }

    /// The next request of a daemon is for this.
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
        // In a new one it is as on the first day.
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
