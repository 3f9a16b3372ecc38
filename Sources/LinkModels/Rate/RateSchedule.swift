package import Quantities

/// How much a link carries and when, where that is not always the same.
package enum RateSchedule: Hashable, Sendable {
    case steps(RateSteps)
    case trace(DeliveryTrace)

    /// The rate that stands for it in figures: of steps the fastest, of a trace the mean.
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

    /// When so many bytes are through, if their sending begins at a moment, no earlier than the
    /// one before it.
    mutating func end(of size: Int, from begin: UInt64) -> UInt64 {
        switch schedule {
        case .steps(let steps): steps.end(of: size, from: begin)
        case .trace(let trace): trace.end(of: size, from: begin, &position)
        }
    }

    /// How long so many bytes take when nothing is faster: chances come all at once.
    func leastSpan(of size: Int) -> UInt64 {
        switch schedule {
        case .steps(let steps):
            steps.peak.timeToSend(ByteCount(UInt64(size))).nanoseconds.magnitude
        case .trace: 0
        }
    }
}
