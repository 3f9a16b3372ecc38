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
        case .background(.woken): delay = min(delay * 2, Self.longest)
        case .engine(.delays(let task, let claimed)):
            known.insert(task)
            notBefore[task] = event.at + claimed
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

    private mutating func enter(_ stage: AppStage, at now: Instant) {
        switch stage {
        case .active, .inactive:
            delay = Self.first
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
