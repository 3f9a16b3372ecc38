package import Quantities

/// A changing rate of a link.
package enum RateSchedule: Hashable, Sendable {
    case steps(RateSteps)
    case trace(DeliveryTrace)

    /// The nominal rate for figures: the fastest step, or the mean of a trace.
    package var nominal: Bitrate {
        switch self {
        case .steps(let steps): steps.peak
        case .trace(let trace): trace.meanRate
        }
    }
}

/// A schedule at work.
struct RateClock: Sendable {
    private let schedule: RateSchedule
    private var position = DeliveryTrace.Position()

    init(_ schedule: RateSchedule) { self.schedule = schedule }

    /// Returns the end of sending these bytes from a moment on. The moment must not be before that
    /// of the previous call.
    mutating func end(of size: Int, from begin: UInt64) -> UInt64 {
        switch schedule {
        case .steps(let steps): steps.end(of: size, from: begin)
        case .trace(let trace): trace.end(of: size, from: begin, &position)
        }
    }

    /// Frees the chances of packets that were dropped before they were sent. The next packet finds
    /// its chance by itself.
    mutating func rewind() { position = DeliveryTrace.Position() }

    /// Returns the shortest time to send these bytes; a trace's chance takes no time.
    func leastSpan(of size: Int) -> UInt64 {
        switch schedule {
        case .steps(let steps):
            steps.peak.timeToSend(ByteCount(UInt64(size))).nanoseconds.magnitude
        case .trace: 0
        }
    }
}
