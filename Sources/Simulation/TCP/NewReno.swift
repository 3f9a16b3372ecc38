import RunPlan

/// Slow start and congestion avoidance of RFC 5681, with a window in bytes.
struct NewReno: CongestionControl {
    private(set) var window: UInt64
    private(set) var threshold = UInt64.max
    /// Acknowledged bytes that have not yet made the window grow.
    private var credit: UInt64 = 0
    private var segment: UInt64
    private var initialWindow: UInt64

    init(_ settings: TCPSettings = TCPSettings(), segment: UInt64 = Packet.usualSegment) {
        self.segment = segment
        initialWindow = settings.initialWindow * segment
        window = initialWindow
    }

    @inline(__always)
    mutating func acknowledged(_ count: UInt64, _ sample: CongestionController.Sample) {
        if window < threshold {
            // All acknowledged bytes count, as in Linux; RFC 3465 §2.2 allows at most two segments.
            window = min(window + count, max(threshold, window))
        } else {
            // RFC 5681 §3.1: one segment more per acknowledged window, counted in bytes.
            credit += count
            if credit >= window {
                credit -= window
                window += segment
            }
        }
    }

    /// Halves the window (RFC 5681 §3.1, equation 4).
    mutating func lossFound(flight: UInt64) {
        threshold = half(of: flight)
        window = threshold
        credit = 0
    }

    /// Starts with one segment (RFC 5681 §3.1).
    mutating func handshakeTimedOut() { window = segment }

    /// Shrinks the window after a long pause. As in Linux, the threshold remembers three quarters
    /// of it.
    mutating func resumed(at now: UInt64, after pause: UInt64, timeout: UInt64) {
        guard pause > timeout else { return }
        if threshold != .max { threshold = max(threshold, window * 3 / 4) }
        window = Self.window(window, after: pause, timeout: timeout, initial: initialWindow)
        credit = 0
    }

    /// Restarts from what is on the way. Lowers the threshold only the first time (RFC 5681 §3.1).
    mutating func timedOut(flight: UInt64, remaining: UInt64, again: Bool) {
        if !again { threshold = half(of: flight) }
        window = remaining + segment
        credit = 0
    }

    mutating func resize(to size: UInt64) {
        window = Self.resized(window, from: segment, to: size)
        threshold = Self.resized(threshold, from: segment, to: size)
        initialWindow = Self.resized(initialWindow, from: segment, to: size)
        credit = 0
        segment = size
    }

    /// Returns half of `flight` in whole segments, at least two.
    private func half(of flight: UInt64) -> UInt64 {
        max(flight / segment / 2, 2) * segment
    }
}
