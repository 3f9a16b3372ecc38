import Quantities

/// The network windows of the apps on an untouched Android phone, less and less often
/// (`DeviceIdleController` of Android 6 and later).
///
///     asleep ── 1 h; each time twice as long, up to 6 h ──▶ awake
///     awake ── 5 min; from the second time on 10 ──▶ asleep
struct DozeCycle: Hashable, Sendable {
    private(set) var isAsleep = true
    private(set) var until: Instant
    private var sleep = TimeSpan.seconds(3_600)
    private var window = TimeSpan.seconds(300)

    private static let longestSleep = TimeSpan.seconds(6 * 3_600)
    private static let longestWindow = TimeSpan.seconds(600)

    init(at now: Instant) { until = now + sleep }

    mutating func pass(to now: Instant) {
        while until <= now {
            isAsleep.toggle()
            if isAsleep {
                window = min(window + window, Self.longestWindow)
                until = until + sleep
            } else {
                sleep = min(sleep + sleep, Self.longestSleep)
                until = until + window
            }
        }
    }
}
