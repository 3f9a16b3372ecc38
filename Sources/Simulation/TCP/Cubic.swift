/// CUBIC (RFC 9438): after a loss the window returns to where the loss was along a cubic curve of
/// time, and is never behind what Reno would have.
///
/// Integers only: bytes, and milliseconds along the curve.
struct Cubic: CongestionControl {
    private(set) var window: UInt64 = 10 * segment
    private(set) var threshold = UInt64.max
    private var start = HyStart()
    /// `W_max`, lowered by fast convergence, and `cwnd_prior`, which is not.
    private var plateau: UInt64 = 0
    private var windowBefore: UInt64 = 0
    /// When the present stretch of congestion avoidance began, and how long its curve takes to the
    /// plateau (`K`).
    private var epoch: UInt64?
    private var milliseconds: UInt64 = 0
    private var origin: UInt64 = 0
    /// `W_est`: the window of a Reno that loses as often.
    private var renoWindow: UInt64 = 0
    /// What is left over from dividing by the window.
    private var credit: UInt64 = 0
    private var renoCredit: UInt64 = 0
    /// The curve where it was asked for last, for it changes only with the millisecond.
    private var present = Point()
    private var ahead = Point()

    private struct Point {
        var elapsed = UInt64.max
        var window: UInt64 = 0
    }

    private static let segment = UInt64(Packet.maximumPayload)
    /// Five minutes along the curve; beyond, its cube would not fit.
    private static let longestStretch: UInt64 = 300_000

    @inline(__always)
    mutating func acknowledged(_ count: UInt64, _ sample: CongestionController.Sample) {
        if window < threshold {
            slowStart(count, sample)
        } else {
            avoidCongestion(count, sample)
        }
    }

    /// §4.6 and §4.7.
    mutating func lossFound(flight: UInt64) {
        reduce(flight: flight)
        window = threshold
    }

    /// §4.8.
    mutating func timedOut(flight: UInt64, remaining: UInt64, again: Bool) {
        if !again { reduce(flight: flight) }
        epoch = nil
        window = remaining + Self.segment
    }

    mutating func handshakeTimedOut() { window = Self.segment }

    private mutating func reduce(flight: UInt64) {
        plateau = flight < plateau ? flight * 17 / 20 : flight
        windowBefore = flight
        threshold = max(flight * 7 / 10, 2 * Self.segment)
        epoch = nil
    }

    private mutating func slowStart(_ count: UInt64, _ sample: CongestionController.Sample) {
        // HyStart++ is for the first slow start (RFC 9406 §4.3).
        guard threshold == .max else {
            window = min(window + count, max(threshold, window))
            return
        }
        start.measured(
            sample.roundTrip, unacknowledged: sample.unacknowledged, next: sample.next)
        let growth = min(count, HyStart.segmentsPerAcknowledgement * Self.segment)
        switch start.phase {
        case .slowStart: window += growth
        case .conservative: window += growth / HyStart.growthDivisor
        case .finished: threshold = window
        }
    }

    /// §4.2 to 4.5.
    private mutating func avoidCongestion(_ count: UInt64, _ sample: CongestionController.Sample) {
        let epoch = beginning(at: sample.now)
        let elapsed = (sample.now &- epoch) / 1_000_000
        if present.elapsed != elapsed { present = point(after: elapsed) }
        // §4.3: α is 9/17 until the window before the loss is reached again, and then 1.
        let isBack = renoWindow >= windowBefore
        renoCredit += count * Self.segment * (isBack ? 17 : 9)
        let divisor = 17 * window
        renoWindow += renoCredit / divisor
        renoCredit %= divisor
        if present.window < renoWindow {
            window = max(window, renoWindow)
            return
        }
        let later = elapsed &+ sample.smoothed / 1_000_000
        if ahead.elapsed != later { ahead = point(after: later) }
        let target = min(max(ahead.window, window), window + window / 2)
        credit += (target - window) * count
        let growth = credit / window
        credit %= window
        window += growth
    }

    private mutating func beginning(at now: UInt64) -> UInt64 {
        if let epoch { return epoch }
        epoch = now
        origin = max(plateau, window)
        // K³ = (W_max − cwnd) / C, with C = 0.4 segments per second cubed.
        milliseconds = CubeRoot.of((origin - window) * 2_500_000_000 / Self.segment)
        renoWindow = window
        credit = 0
        renoCredit = 0
        present = Point()
        ahead = Point()
        return now
    }

    /// `W_cubic`: C·t³ bytes from the plateau, where C is 0.4 · 1448 B / s³ = 362 / 625 000 000
    /// bytes per cubic millisecond.
    private func point(after elapsed: UInt64) -> Point {
        let isBehind = elapsed < milliseconds
        let distance = min(
            isBehind ? milliseconds - elapsed : elapsed - milliseconds, Self.longestStretch)
        let offset = distance * distance * distance * 362 / 625_000_000
        let window =
            isBehind ? (origin > offset ? origin - offset : 0) : origin + offset
        return Point(elapsed: elapsed, window: window)
    }
}
