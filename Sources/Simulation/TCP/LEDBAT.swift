/// LEDBAT++, for transfers in the background (draft-irtf-iccrg-ledbat-plus-plus-06, on RFC 6817):
/// it adds at most 60 ms to the queue, so that a flow of others that needs more pushes it aside.
///
///              three quarters of the              two round trips later; then each time
///              target delay, or a loss            after nine times the last slowdown
///     starting ───────────────────────▶ steady ─────────────────────────────▶ frozen
///                                          ▲                                     │
///                                          │ the former window                   │ two round trips
///                                          └───────────── returning ◀────────────┘
///
/// A slowdown empties the queue, so that flows that came later see the shortest round trip, too. A
/// timeout leads back to `starting`.
struct LEDBAT: CongestionControl {
    private(set) var window: UInt64
    private(set) var threshold = UInt64.max
    /// Acknowledged bytes that have not yet made the window grow.
    private var credit: UInt64 = 0
    private var course = Course.starting
    private var delay = QueueingDelay()
    /// Window and threshold before the latest loss.
    private var before: (window: UInt64, threshold: UInt64)?
    private var segment: UInt64

    private enum Course {
        case starting
        case steady(until: UInt64)
        case frozen(since: UInt64, until: UInt64)
        case returning(since: UInt64)
    }

    static let target: UInt64 = 60_000_000
    /// The share of the target at which the first slow start ends, in quarters.
    private static let startQuarters: UInt64 = 3
    /// The most that a window's growth is slowed down on short paths.
    private static let largestDivisor: UInt64 = 16
    private static let pausesPerSlowdown: UInt64 = 9

    init(segment: UInt64 = Packet.usualSegment) {
        self.segment = segment
        window = 2 * segment
    }

    /// Notes an acknowledgement of new data, even if the window is not used.
    mutating func measured(_ sample: CongestionController.Sample) {
        delay.measured(sample.roundTrip, at: sample.now)
    }

    mutating func acknowledged(_ count: UInt64, _ sample: CongestionController.Sample) {
        switch course {
        case .starting:
            let isDelayed = delay.current > Self.target * Self.startQuarters / 4
            guard isDelayed || window >= threshold else { return growInSlowStart(count) }
            threshold = min(threshold, window)
            course = .steady(until: sample.now + 2 * sample.smoothed)
        case .steady(let end) where sample.now >= end:
            threshold = window
            window = smallestWindow
            course = .frozen(since: sample.now, until: sample.now + 2 * sample.smoothed)
        case .steady: avoidCongestion(count)
        case .frozen(let begin, let end):
            if sample.now >= end { course = .returning(since: begin) }
        case .returning(let begin):
            guard window >= threshold else { return growInSlowStart(count) }
            course = .steady(until: sample.now + Self.pausesPerSlowdown * (sample.now - begin))
        }
    }

    /// Halves the window, or in a slowdown the window to which it returns.
    mutating func lossFound(flight: UInt64) {
        before = (window, threshold)
        switch course {
        case .starting, .steady: threshold = half(of: window)
        case .frozen, .returning: threshold = half(of: threshold)
        }
        window = min(window, threshold)
        credit = 0
    }

    mutating func timedOut(flight: UInt64, remaining: UInt64, again: Bool) {
        if !again {
            before = (window, threshold)
            threshold = half(of: flight)
        }
        window = remaining + segment
        credit = 0
        course = .starting
    }

    mutating func handshakeTimedOut() { window = segment }

    mutating func resumed(at now: UInt64, after pause: UInt64, timeout: UInt64) {
        guard pause > timeout else { return }
        if threshold != .max { threshold = max(threshold, window * 3 / 4) }
        window = Self.window(
            window, after: pause, timeout: timeout, initial: smallestWindow)
        credit = 0
        course = .starting
    }

    mutating func resize(to size: UInt64) {
        window = Self.resized(window, from: segment, to: size)
        threshold = Self.resized(threshold, from: segment, to: size)
        before = nil
        credit = 0
        segment = size
    }

    /// Undoes a false loss.
    mutating func undo() {
        guard let before else { return }
        self.before = nil
        threshold = max(threshold, before.threshold)
        if case .frozen = course { return }
        window = max(window, before.window)
    }

    // MARK: Growing and shrinking

    /// Grows as slow start does, but slower on short paths (§4.1).
    private mutating func growInSlowStart(_ count: UInt64) {
        window = min(window + count / divisor, threshold)
    }

    /// Grows by a part of a segment in a round trip, and shrinks by the share of the window by
    /// which the delay is above the target, but at most by half (§4.2, §4.3):
    ///
    ///     W += max(1/divisor − W · (delay/target − 1), −W/2)
    private mutating func avoidCongestion(_ count: UInt64) {
        credit += count
        if credit >= window * divisor {
            credit -= window * divisor
            window += segment
        }
        guard delay.current > Self.target else { return }
        let excess = min(delay.current - Self.target, Self.target / 2)
        let shrunk = window - min(count * excess / Self.target, window)
        window = max(shrunk, smallestWindow)
    }

    private var divisor: UInt64 {
        let base = max(delay.base, 1)
        guard base < 2 * Self.target else { return 1 }
        return min((2 * Self.target + base - 1) / base, Self.largestDivisor)
    }

    private func half(of window: UInt64) -> UInt64 { max(window / 2, smallestWindow) }

    var smallestWindow: UInt64 { 2 * segment }
}

/// The queueing delay as LEDBAT measures it: the shortest of the latest four round trips, less the
/// shortest of the latest ten minutes (RFC 6817 §4.2, §4.3).
struct QueueingDelay {
    private(set) var base = UInt64.max
    private var minutes = InlineArray<10, UInt64>(repeating: .max)
    private var minute = 0
    private var minuteBegan: UInt64 = 0
    private var latest = InlineArray<4, UInt64>(repeating: .max)
    private var place = 0

    private static let lengthOfMinute: UInt64 = 60_000_000_000

    mutating func measured(_ roundTrip: UInt64, at now: UInt64) {
        beginMinutes(until: now)
        minutes[minute] = min(minutes[minute], roundTrip)
        base = min(base, roundTrip)
        latest[place] = roundTrip
        place = (place + 1) % latest.count
    }

    var current: UInt64 {
        var shortest = UInt64.max
        for place in latest.indices { shortest = min(shortest, latest[place]) }
        return shortest == .max ? 0 : shortest - min(base, shortest)
    }

    /// Forgets the oldest minute for each that has begun.
    private mutating func beginMinutes(until now: UInt64) {
        let passed = (now - minuteBegan) / Self.lengthOfMinute
        guard passed > 0 else { return }
        minuteBegan += passed * Self.lengthOfMinute
        for _ in 0..<min(passed, UInt64(minutes.count)) {
            minute = (minute + 1) % minutes.count
            minutes[minute] = .max
        }
        base = .max
        for place in minutes.indices { base = min(base, minutes[place]) }
    }
}
