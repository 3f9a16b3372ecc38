import Quantities
import RunLog

/// When the app's process was alive.
struct AppBook: Sendable {
    private(set) var launches = 0
    private(set) var kills = 0
    private var spans = LaneBook()

    mutating func read(_ fact: DeviceFact, at now: Instant) {
        switch fact {
        case .appLaunched(let launch, _):
            launches += 1
            spans.begin(.alive, "launch \(launch)", at: now)
        case .appKilled:
            kills += 1
            spans.end(at: now)
        case .appCrashed: spans.end(at: now)
        case .stands, .appEntered, .taskBegan, .taskExpires, .taskEnded, .appDataCleared,
            .appUpdated, .memoryPressure, .power, .lowPower, .wallClockJumped:
            break
        }
    }

    func lane(until end: Instant) -> Timeline.Lane {
        spans.lane(.app, title: "App", until: end)
    }
}
