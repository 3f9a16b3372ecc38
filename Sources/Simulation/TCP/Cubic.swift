import RunPlan

/// CUBIC (RFC 9438) as in Linux: after a loss the window returns to its former size along a cubic
/// curve of time, and it is never smaller than Reno's would be.
///
/// Integers only: whole segments, and milliseconds along the curve. Runs are compared with Linux,
/// so the code follows Linux where it differs from the RFC: the window grows by a whole segment at
/// a time, Reno's window always grows by 8/15 of a segment a round (§4.3 asks for a whole segment
/// above the former window), and a timeout forgets the plateau.
struct Cubic: CongestionControl {
    private(set) var window: UInt64
    private(set) var threshold = UInt64.max
    private var shortestRoundTrip = UInt64.max
    /// The window grows by a segment for this many acknowledged bytes.
    private var bytesPerSegment: UInt64 = 0
    private var credit: UInt64 = 0
    /// Window and time of the latest computation of `bytesPerSegment`.
    private var judgedWindow: UInt64 = 0
    private var judgedAt: UInt64 = 0
    /// `W_est`, Reno's window in segments, and acknowledged bytes that have not yet made it grow.
    private var renoWindow: UInt64 = 0
    private var renoCredit: UInt64 = 0
    /// `W_max` in segments, lowered by fast convergence; 0 before the first loss and after a
    /// timeout.
    private var plateau: UInt64 = 0
    /// Start of the current curve, `K` in milliseconds, and the window at the plateau in segments.
    private var epoch: UInt64?
    private var milliseconds: UInt64 = 0
    private var origin: UInt64 = 0
    private let slowStart: TCPSettings.SlowStart
    private var hybrid: HyStart
    private var conservative = HyStartPlusPlus()
    private var segment: UInt64
    private var initialWindow: UInt64

    /// Five minutes. The curve is flat beyond, so that the cube cannot overflow.
    private static let longestStretch: UInt64 = 300_000
    /// Interval at which Linux looks at the curve while the window is unchanged: a 32nd of a
    /// second.
    private static let judgementInterval: UInt64 = 31_250_000
    /// Growth per round: at least a twentieth of the window while no plateau is known, and never
    /// more than a half.
    private static let segmentsPerGrowthAtFirst: UInt64 = 20
    private static let fewestSegmentsPerGrowth: UInt64 = 2

    init(_ settings: TCPSettings = TCPSettings(), segment: UInt64 = Packet.usualSegment) {
        self.segment = segment
        slowStart = settings.slowStart
        hybrid = HyStart(isPaced: settings.pacesWindows)
        initialWindow = settings.initialWindow * segment
        window = initialWindow
    }

    /// Notes an acknowledgement of new data in slow start, even if the window is not used.
    mutating func measured(_ sample: CongestionController.Sample) {
        guard slowStart == .hystart else { return }
        if sample.roundTrip < shortestRoundTrip { shortestRoundTrip = sample.roundTrip }
        let wasOver = hybrid.isOver
        hybrid.measured(
            sample, shortest: shortestRoundTrip, window: window, segment: segment)
        if hybrid.isOver, !wasOver { threshold = window }
    }

    @inline(__always)
    mutating func acknowledged(_ count: UInt64, _ sample: CongestionController.Sample) {
        if sample.roundTrip < shortestRoundTrip { shortestRoundTrip = sample.roundTrip }
        if window < threshold {
            grow(count, sample)
        } else {
            avoidCongestion(count, at: sample.now)
        }
    }

    /// Reduces the window (§4.6), with fast convergence (§4.7).
    mutating func lossFound(flight: UInt64) {
        reduce(flight: flight)
        window = threshold
        credit = 0
    }

    /// Restarts after a timeout (§4.8).
    mutating func timedOut(flight: UInt64, remaining: UInt64, again: Bool) {
        if !again { reduce(flight: flight) }
        plateau = 0
        epoch = nil
        window = remaining + segment
        credit = 0
        // As in Linux, the next slow start may end early, too.
        shortestRoundTrip = .max
        hybrid.restart()
    }

    mutating func handshakeTimedOut() { window = segment }

    /// Excludes the pause from the curve (RFC 9438 §5.8).
    mutating func resumed(at now: UInt64, after pause: UInt64, timeout: UInt64) {
        if let begun = epoch { epoch = min(begun + pause, now) }
        guard pause > timeout else { return }
        if threshold != .max { threshold = max(threshold, window * 3 / 4) }
        window = Self.window(window, after: pause, timeout: timeout, initial: initialWindow)
    }

    mutating func resize(to size: UInt64) {
        window = Self.resized(window, from: segment, to: size)
        threshold = Self.resized(threshold, from: segment, to: size)
        initialWindow = Self.resized(initialWindow, from: segment, to: size)
        bytesPerSegment = bytesPerSegment / segment * size
        (credit, renoCredit, judgedWindow) = (0, 0, 0)
        segment = size
    }

    private mutating func reduce(flight: UInt64) {
        let segments = flight / segment
        plateau = segments < plateau ? segments * 17 / 20 : segments
        threshold = max(segments * 7 / 10, 2) * segment
        epoch = nil
    }

    /// Grows the window in slow start.
    private mutating func grow(_ count: UInt64, _ sample: CongestionController.Sample) {
        // HyStart++ is for the initial slow start only (RFC 9406 §4.3).
        guard slowStart == .hystartPlusPlus, threshold == .max else {
            window = min(window + count, threshold)
            return
        }
        conservative.measured(
            sample.roundTrip, unacknowledged: sample.unacknowledged, next: sample.next)
        let growth = min(count, HyStartPlusPlus.segmentsPerAcknowledgement * segment)
        switch conservative.phase {
        case .slowStart: window += growth
        case .conservative: window += growth / HyStartPlusPlus.growthDivisor
        case .finished: threshold = window
        }
    }

    /// Grows the window along the curve, and at least like Reno's (§4.2 to §4.5).
    private mutating func avoidCongestion(_ count: UInt64, at now: UInt64) {
        renoCredit += count
        if epoch == nil || window != judgedWindow || now > judgedAt + Self.judgementInterval {
            judge(count, at: now)
        }
        // Credit collected while growth was slower is worth at most one segment.
        if credit >= bytesPerSegment {
            credit = 0
            window += segment
        }
        credit += count
        if credit >= bytesPerSegment {
            window += credit / bytesPerSegment * segment
            credit %= bytesPerSegment
        }
    }

    /// Computes the growth that reaches the curve's value one round trip from now.
    private mutating func judge(_ count: UInt64, at now: UInt64) {
        judgedWindow = window
        judgedAt = now
        let segments = window / segment
        let beginning = epoch ?? begin(segments, count, at: now)
        let target = curve(after: (now - beginning + shortestRoundTrip) / 1_000_000)
        var wanted = target > segments ? segments / (target - segments) : 100 * segments
        if plateau == 0 { wanted = min(wanted, Self.segmentsPerGrowthAtFirst) }
        let bytesPerRenoSegment = segments * 15 / 8 * segment
        renoWindow += renoCredit / bytesPerRenoSegment
        renoCredit %= bytesPerRenoSegment
        if renoWindow > segments { wanted = min(wanted, segments / (renoWindow - segments)) }
        bytesPerSegment = max(wanted, Self.fewestSegmentsPerGrowth) * segment
    }

    private mutating func begin(_ segments: UInt64, _ count: UInt64, at now: UInt64) -> UInt64 {
        epoch = now
        origin = max(plateau, segments)
        // K³ = (W_max − cwnd) / C, with C = 0.4 segments per second cubed.
        milliseconds = CubeRoot.of((origin - segments) * 2_500_000_000)
        renoWindow = segments
        renoCredit = count
        return now
    }

    /// Returns `W_cubic` in segments: the plateau plus C·(t − K)³.
    private func curve(after elapsed: UInt64) -> UInt64 {
        let isBehind = elapsed < milliseconds
        let distance = min(
            isBehind ? milliseconds - elapsed : elapsed - milliseconds, Self.longestStretch)
        let offset = distance * distance * distance / 2_500_000_000
        if isBehind { return origin > offset ? origin - offset : 0 }
        return origin + offset
    }
}
