import Quantities
import RunLog

/// The delays of tasks made in the background (B11): 60 s, doubled each time that the system runs
/// the app in the background for its sessions, and none once the app is in the foreground.
///
/// Each app has its own delay. A system that cannot open its store after a start of its phone hears
/// what apps have asked for only once it can, and takes it in the order in which it came.
struct BackgroundDelays: Sendable {
    private var delay = BackgroundDelays.first
    private var isBehind = false
    /// The moment of the last change between foreground and background.
    private var since = Instant.start
    private var isInFront = false
    /// The last moment in the foreground, if the app has been there and has left it.
    private var leftFront: Instant?
    /// The start of each phone, by the phone's number in the log.
    private var starts: [UInt16?: Instant] = [:]
    /// The time of which the system hears late, and the moment until which it does so.
    private var late: (from: Instant, until: Instant)?
    /// The earliest start of each waiting task.
    private var notBefore: [ItemName: Instant] = [:]
    private var known: Set<ItemName> = []
    /// Earlier delays, while a restart of the phone may undo the latest changes.
    private var unpromised: [Change] = []
    /// The delays that are possible since the restart.
    private var alternatives: [TimeSpan] = []
    private(set) var evidence = Evidence<Clause>()
    /// Whether the delay was longer before the app came to the foreground, and whether the system
    /// has started anew since the last delay.
    private var wasLonger = false
    private var wasRestarted = false

    private struct Change: Sendable {
        var before: TimeSpan
        var at: Instant
        /// The last request to a phone's store that may ask for the change.
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

    private static func doubled(_ delay: TimeSpan) -> TimeSpan { min(delay * 2, longest) }

    mutating func read(_ event: RunEvent) throws(Slip) {
        switch event.fact {
        case .device(.appEntered(_, let stage, _)): enter(stage, at: event.at)
        // An app that the user opens is in the foreground.
        case .device(.appLaunched(_, by: nil)): enter(.active, at: event.at)
        // A killed app no longer asks for anything in the background.
        case .device(.appKilled):
            isBehind = false
            leaveFront(at: event.at)
        case .device(.appCrashed): leaveFront(at: event.at)
        case .device(.power(.up, let device)): starts[device] = event.at
        case .device(.power(_, let device)): starts[device] = nil
        case .background(.woken):
            let others = alternatives.map(Self.doubled)
            becomes(Self.doubled(delay), at: event.at)
            alternatives = others
        case .daemon(.store(let fact, let device)):
            if case .opened = fact, let start = starts[device], start < event.at {
                late = (from: start, until: event.at + Self.messageTime)
            }
            read(fact, device, at: event.at)
        case .engine(.delays(let task, let claimed)): try judge(task, claimed, at: event.at)
        case .engine(.accepts(let task, _, _)) where task.facade == .background:
            // A task that is reported again after a restart is not new.
            guard known.insert(task).inserted, event.at > since + Self.messageTime else { return }
            evidence.decides(.notInFront, if: isInFront)
            guard isBehind, !mayStemFromFront(at: event.at) else { return }
            throw Slip(
                expected: "\(task) waits for \(delay), because it was made in the background",
                seen: "it does not wait")
        case .engine(.attempt(let task, _)):
            guard let earliest = notBefore.removeValue(forKey: task) else { return }
            evidence.decides(.waited)
            guard event.at < earliest else { return }
            throw Slip(
                expected:
                    "\(task) begins at \(earliest) or later, or while its app is in the foreground",
                seen: "it begins at \(event.at)")
        default: break
        }
    }

    /// Judges the delay that the system gives a task.
    private mutating func judge(
        _ task: ItemName, _ claimed: TimeSpan, at now: Instant
    ) throws(Slip) {
        known.insert(task)
        evidence.decides(claimed > Self.first ? .doubled : .first)
        evidence.decides(.reset, if: wasLonger && claimed == Self.first)
        evidence.decides(.remembered, if: wasRestarted && claimed > Self.first)
        (wasLonger, wasRestarted) = (false, false)
        // The task may have been made just before the user opened the app.
        let isOlder = unpromised.contains { $0.at == now && $0.before == claimed }
        guard !(isInFront && isOlder) else { return }
        if mayStemFromFront(at: now) {
            // The task may be older than the app's time in the foreground, which ended its delay.
            guard claimed != delay, !alternatives.contains(claimed) else { return }
        } else if isInFront {
            guard now <= since + Self.messageTime else {
                throw Slip(
                    expected: "\(task) begins at once, because its app is in the foreground",
                    seen: "it waits for \(claimed)")
            }
            guard claimed != delay else { return }
        } else {
            notBefore[task] = now + claimed
            if alternatives.contains(claimed) { delay = claimed }
            alternatives = []
            guard claimed != delay else { return }
        }
        throw Slip(
            expected: "\(task) waits for \(delay), because it was made in the background",
            seen: "it waits for \(claimed)")
    }

    /// Whether the system hears late of a time in which the app was in the foreground.
    private func mayStemFromFront(at now: Instant) -> Bool {
        guard let late, now <= late.until else { return false }
        return isInFront || leftFront.map { $0 >= late.from } ?? false
    }

    private mutating func leaveFront(at now: Instant) {
        if isInFront { leftFront = now }
        isInFront = false
    }

    /// Notes a new delay. One of the daemon's next requests to its store asks for this change.
    private mutating func becomes(_ delay: TimeSpan, at now: Instant) {
        guard self.delay != delay || !alternatives.isEmpty else { return }
        unpromised += ([self.delay] + alternatives).map { Change(before: $0, at: now) }
        alternatives = []
        self.delay = delay
    }

    private mutating func read(_ fact: StoreFact, _ device: UInt16?, at now: Instant) {
        switch fact {
        case .requested(let ticket, _, _):
            let request = Request(device: device, ticket: ticket)
            // Other changes of the moment may be asked for first.
            for place in unpromised.indices
            where unpromised[place].request == nil || unpromised[place].at == now {
                unpromised[place].request = request
            }
        case .committed(let ticket):
            let request = Request(device: device, ticket: ticket)
            if let place = unpromised.lastIndex(where: { $0.request == request }) {
                unpromised.removeFirst(place + 1)
            }
        case .opened:
            wasRestarted = true
            // The store was never asked for a change while it was closed.
            let undone = unpromised.filter { $0.request.map { $0.device == device } ?? true }
            alternatives += undone.map(\.before)
            unpromised.removeAll { $0.request.map { $0.device == device } ?? true }
        // A new store begins with the first delay.
        case .setAside: alternatives.append(Self.first)
        case .failed: break
        }
    }

    private mutating func enter(_ stage: AppStage, at now: Instant) {
        switch stage {
        case .active, .inactive:
            wasLonger = wasLonger || delay > Self.first
            becomes(Self.first, at: now)
            notBefore = [:]
            if !isInFront { since = now }
            isBehind = false
            isInFront = true
        case .background:
            if !isBehind { since = now }
            isBehind = true
            leaveFront(at: now)
        case .suspended: break
        }
    }
}

extension BackgroundDelays {
    enum Clause: String, ClauseName {
        /// Decided by each task that is delayed by the first delay.
        case first = "delayed behind"
        /// Decided by each task that an app makes some time after it has come to the foreground.
        case notInFront = "not delayed in front"
        /// Decided by each task that is delayed after the system has run the app behind.
        case doubled = "delay doubles"
        /// Decided by a delay after the app was in the foreground, if the delay was longer before.
        case reset = "foreground ends delays"
        /// Decided by a longer delay after a restart of the system: it could be the first again.
        case remembered = "delays are remembered"
        /// Decided by each delayed task that begins while its app is still in the background.
        case waited = "delay is waited for"

        var sentence: String {
            switch self {
            case .first: "a task that is made in the background is delayed (B11)"
            case .notInFront: "a task that is made in the foreground is not delayed (B11)"
            case .doubled: "the delay doubles each time the system runs the app (B11)"
            case .reset: "the delay begins anew after the foreground (B11)"
            case .remembered: "a restart of the phone does not shorten the delay (B11)"
            case .waited: "a delayed task begins after its delay (B11)"
            }
        }
    }
}
