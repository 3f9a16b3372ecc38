import Quantities
import RunLog

/// The times at which the apps' processes were alive, in the foreground, in the background or
/// suspended.
struct AppBook: Sendable {
    private(set) var launches = 0
    private(set) var kills = 0
    private var apps = [App()]

    private struct App: Sendable {
        /// The app; `nil` is the first one.
        var name: UInt16?
        var spans = LaneBook()
    }

    mutating func read(_ fact: DeviceFact, of app: UInt16?, at now: Instant) {
        switch fact {
        case .appLaunched(let launch, _):
            launches += 1
            change(app) { $0.begin(.alive, "launch \(launch)", at: now) }
        case .appEntered(_, let stage, _):
            change(app) { $0.begin(Self.state(stage), stage.words, at: now) }
        case .appKilled:
            kills += 1
            change(app) { $0.end(at: now) }
        case .appCrashed: change(app) { $0.end(at: now) }
        case .stands, .taskBegan, .taskExpires, .taskEnded, .fetchBegan, .fetchEnded, .modeBegan,
            .modeEnded, .wakeRefused, .appDataCleared, .appUpdated, .bitsFlipped, .memoryPressure,
            .power, .lowPower, .call, .charger, .wallClockJumped, .diskStands, .disk:
            break
        }
    }

    func lanes(until end: Instant, _ names: RunNames) -> [Timeline.Lane] {
        apps.map { app in
            app.spans.lane(.app, title: names.app(app.name) ?? "App", until: end)
        }
    }

    private mutating func change(_ name: UInt16?, _ change: (inout LaneBook) -> Void) {
        let place = apps.firstIndex { $0.name == name } ?? apps.endIndex
        if place == apps.endIndex { apps.append(App(name: name)) }
        change(&apps[place].spans)
    }

    private static func state(_ stage: AppStage) -> Timeline.State {
        switch stage {
        case .active, .inactive: .alive
        case .background: .background
        case .suspended: .suspended
        }
    }
}
