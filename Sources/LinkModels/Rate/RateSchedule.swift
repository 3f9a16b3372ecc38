package import Quantities

/// A changing rate of a link.
package enum RateSchedule: Hashable, Sendable {
    case steps(RateSteps)
    case trace(DeliveryTrace)
    case shaped(Shaper)
    case wifi(WiFi.Options)

    /// The nominal rate for figures: the fastest step, the mean of a trace, the line behind a
    /// shaper, or the highest rate of Wi-Fi.
    package var nominal: Bitrate {
        switch self {
        case .steps(let steps): steps.peak
        case .trace(let trace): trace.meanRate
        case .shaped(let shaper): shaper.line
        case .wifi(let options): options.peak
        }
    }
}

/// A schedule at work.
struct RateClock: Sendable {
    private let schedule: RateSchedule
    private var position = DeliveryTrace.Position()
    private var bucket: TokenBucket?
    private var air: WiFi?

    init(_ schedule: RateSchedule, random: RandomStream) {
        self.schedule = schedule
        if case .shaped(let shaper) = schedule { bucket = TokenBucket(shaper.bucket) }
        if case .wifi(let options) = schedule { air = WiFi(options, random: random) }
    }

    /// Returns the end of sending a packet from a moment on. The moment must not be before that of
    /// the previous call.
    mutating func end(of size: Int, enqueuedAt: UInt64, from begin: UInt64) -> UInt64 {
        switch schedule {
        case .steps(let steps): steps.end(of: size, from: begin)
        case .trace(let trace): trace.end(of: size, from: begin, &position)
        case .shaped(let shaper):
            (bucket?.takeWhenFilled(size, from: begin) ?? begin) + shaper.line.wireTime(size)
        case .wifi: air?.end(of: size, enqueuedAt: enqueuedAt, from: begin) ?? begin
        }
    }

    /// Frees the chances and the tokens of packets that were dropped before they were sent. The
    /// next packet finds its chance by itself.
    mutating func rewind(to now: UInt64, unsent bytes: UInt64) {
        position = DeliveryTrace.Position()
        bucket?.giveBack(bytes, at: now)
        air?.rewind(to: now)
    }

    /// Returns the shortest time to send these bytes; a trace's chance takes no time.
    func leastSpan(of size: Int) -> UInt64 {
        switch schedule {
        case .steps(let steps): steps.peak.wireTime(size)
        case .trace: 0
        case .shaped(let shaper): shaper.line.wireTime(size)
        case .wifi(let options): options.peak.wireTime(size)
        }
    }
}

extension Bitrate {
    /// Returns the nanoseconds that a packet of this size takes.
    fileprivate func wireTime(_ size: Int) -> UInt64 {
        timeToSend(ByteCount(UInt64(size))).nanoseconds.magnitude
    }
}
