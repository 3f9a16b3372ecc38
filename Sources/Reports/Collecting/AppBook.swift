import Quantities
import RunLog

/// The times at which the apps' processes were alive, in the foreground, in the background or
/// suspended; and what held them awake in the background, beside tasks.
struct AppBook: Sendable {
    private(set) var launches = 0
    private(set) var kills = 0
    private var apps = [App()]

    private struct App: Sendable {
        /// The app; `nil` is the first one.
        var name: UInt16?
        var spans = LaneBook()
        var isBehind = false
        var isFetching = false
        var modes: Set<BackgroundMode> = []

        mutating func enter(_ stage: AppStage, at now: Instant) {
            isBehind = stage == .background
            spans.begin(AppBook.state(stage), isBehind ? behind : stage.words, at: now)
        }

        /// Begins another span if the change is one of an app in the background.
        mutating func change(at now: Instant, _ change: (inout App) -> Void) {
            change(&self)
            if isBehind { spans.begin(.background, behind, at: now) }
        }

        mutating func end(at now: Instant) {
            (isBehind, isFetching, modes) = (false, false, [])
            spans.end(at: now)
        }

        private var behind: String {
            let holders =
                BackgroundMode.allCases.filter(modes.contains).map(\.state)
                + (isFetching ? ["fetches"] : [])
            let words = AppStage.background.words
            return holders.isEmpty ? words : "\(words), \(holders.joined(separator: " and "))"
        }
    }

    mutating func read(_ fact: DeviceFact, of app: UInt16?, at now: Instant) {
        switch fact {
        case .appLaunched(let launch, _):
            launches += 1
            change(app) { $0.spans.begin(.alive, "launch \(launch)", at: now) }
        case .appEntered(_, let stage, _): change(app) { $0.enter(stage, at: now) }
        case .fetchBegan: change(app) { $0.change(at: now) { $0.isFetching = true } }
        case .fetchEnded: change(app) { $0.change(at: now) { $0.isFetching = false } }
        case .modeBegan(_, let mode): change(app) { $0.change(at: now) { $0.modes.insert(mode) } }
        case .modeEnded(_, let mode): change(app) { $0.change(at: now) { $0.modes.remove(mode) } }
        case .appKilled:
            kills += 1
            change(app) { $0.end(at: now) }
        case .appCrashed: change(app) { $0.end(at: now) }
        case .stands, .taskBegan, .taskExpires, .taskEnded, .wakeRefused, .appDataCleared,
            .appUpdated, .bitsFlipped, .memoryPressure, .power, .lowPower, .call, .charger,
            .wallClockJumped, .diskStands, .disk:
            break
        }
    }

    func lanes(until end: Instant, _ names: RunNames) -> [Timeline.Lane] {
        apps.map { app in
            app.spans.lane(.app, title: names.app(app.name) ?? "App", until: end)
        }
    }

    private mutating func change(_ name: UInt16?, _ change: (inout App) -> Void) {
        let place = apps.firstIndex { $0.name == name } ?? apps.endIndex
        if place == apps.endIndex { apps.append(App(name: name)) }
        change(&apps[place])
    }

    private static func state(_ stage: AppStage) -> Timeline.State {
        switch stage {
        case .active, .inactive: .alive
        case .background: .background
        case .suspended: .suspended
        }
    }
}
