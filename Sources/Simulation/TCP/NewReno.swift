/// Slow start and congestion avoidance of RFC 5681, with a window in bytes.
struct NewReno: CongestionControl {
    private(set) var window: UInt64 = 10 * segment
    private(set) var threshold = UInt64.max
    /// Acknowledged bytes that have not yet made the window grow.
    private var credit: UInt64 = 0

    private static let segment = UInt64(Packet.maximumPayload)

    @inline(__always)
    mutating func acknowledged(_ count: UInt64, _ sample: CongestionController.Sample) {
        if window < threshold {
            // By all acknowledged bytes, like Linux; RFC 3465 §2.2 allows two segments.
            window = min(window + count, max(threshold, window))
        } else {
            // RFC 5681 §3.1, by bytes: one segment more per acknowledged window.
            credit += count
            if credit >= window {
                credit -= window
                window += Self.segment
            }
        }
    }

    /// Equation 4.
    mutating func lossFound(flight: UInt64) {
        threshold = Self.half(of: flight)
        window = threshold
        credit = 0
    }

    /// RFC 5681 §3.1.
    mutating func handshakeTimedOut() { window = Self.segment }

    /// The threshold remembers three quarters of the window, as in Linux.
    mutating func resumed(at now: UInt64, after pause: UInt64, timeout: UInt64) {
        guard pause > timeout else { return }
        if threshold != .max { threshold = max(threshold, window * 3 / 4) }
        window = Self.window(window, after: pause, timeout: timeout)
        credit = 0
    }

    /// Lowers the threshold the first time only (RFC 5681 §3.1).
    mutating func timedOut(flight: UInt64, remaining: UInt64, again: Bool) {
        if !again { threshold = Self.half(of: flight) }
        window = remaining + Self.segment
        credit = 0
    }

    /// In whole segments.
    private static func half(of flight: UInt64) -> UInt64 {
        max(flight / segment / 2, 2) * segment
    }
}
