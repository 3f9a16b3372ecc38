import Device
import Quantities
import RunPlan

/// What can happen to a phone, in the words of a timeline.
enum DeviceActions {
    static let phrases: [Phrase<TimelineEntry.Action>] =
        simple.map { words, event in Phrase(words) { _, _, _ in .device(event) } } + clock

    private static let simple: [(String, DeviceEvent)] = [
        ("app to background", .home),
        ("app to foreground", .appOpened(0)),
        ("app woken by the system", .appWoken(0)),
        ("app force-quit", .forceQuit(0)),
        ("app crashes", .crash(0)),
        ("app data cleared", .dataCleared(0)),
        ("app updated", .updated(0)),
        ("screen locked", .locked),
        ("screen unlocked", .unlocked),
        ("call comes in", .callComes),
        ("call ends", .callEnds),
        ("memory pressure", .memoryPressure),
        ("phone reboots", .reboot),
        ("power lost", .powerLost),
        ("power back", .powerBack),
        ("low-power mode on", .lowPower(true)),
        ("low-power mode off", .lowPower(false)),
    ]

    private static let clock: [Phrase<TimelineEntry.Action>] =
        causes.flatMap { words, cause in
            [("ahead", Int64(1)), ("back", -1)].map { direction, sign in
                Phrase("\(words) TIME \(direction)") { holes, _, mistakes in
                    mistakes.time(holes[0]).map { .device(.clockJumps($0 * sign, cause)) }
                }
            }
        }

    private static let causes: [(String, WallClock.Cause)] = [
        ("clock jumps", .user), ("clock corrected by", .network), ("time zone moves", .timeZone),
    ]
}

extension DeviceEvent {
    /// What happens, as a clause after the time.
    var sentence: String {
        switch self {
        case .appOpened: "the user opens the app"
        case .appWoken: "the system needs the app in the background"
        case .home: "the user goes home"
        case .locked: "the screen is locked"
        case .unlocked: "the screen is unlocked"
        case .callComes: "a call comes in"
        case .callEnds: "the call ends"
        case .forceQuit: "the user throws the app out"
        case .crash: "the app crashes"
        case .kill: "the app is killed"
        case .memoryPressure: "memory is short"
        case .dataCleared: "all data of the app is cleared"
        case .updated: "the app is updated, and its container moves"
        case .reboot: "the phone reboots"
        case .powerLost: "the phone loses its power"
        case .powerBack: "the phone has power again"
        case .lowPower(let isOn): "low-power mode is switched \(isOn ? "on" : "off")"
        case .clockJumps(let span, let cause):
            "the wall clock jumps "
                + (span < .zero ? "\(TimeSpan.zero - span) back" : "\(span) ahead")
                + ": \(cause.rawValue)"
        }
    }
}
