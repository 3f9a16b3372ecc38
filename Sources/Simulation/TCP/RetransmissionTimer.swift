import Quantities

/// How long to wait for an acknowledgement (RFC 6298), in nanoseconds.
///
/// Every acknowledgement of new data brings a measurement, because the timestamps of RFC 7323 tell
/// which transmission it answers; Karn's doubt about retransmitted data does not arise.
struct RetransmissionTimer {
    /// When the wait is over; `never` while nothing is outstanding.
    private(set) var deadline = Self.never
    /// How often in a row the wait was in vain.
    private(set) var expiries = 0
    private(set) var smoothed: UInt64 = 0
    private var variation: UInt64 = 0
    private var unbackedTimeout = Self.initial
    /// What is added for variation at least, and what the wait is at least.
    private let margin: UInt64
    private let minimum: UInt64

    static let never = UInt64.max
    /// RFC 6298 §2.1.
    static let initial: UInt64 = 1_000_000_000
    /// Linux: what is added for variation is never less, where RFC 6298 §2.4 would have a second in
    /// all.
    static let minimumMargin: UInt64 = 200_000_000
    /// The clock's, in RFC 6298 §2.3.
    private static let granularity: UInt64 = 1_000_000
    /// Linux; RFC 6298 §2.5 asks for 60 s at least.
    static let maximum: UInt64 = 120_000_000_000

    /// Without a minimum, as Linux has it.
    init(minimum: TimeSpan? = nil) {
        margin = minimum == nil ? Self.minimumMargin : Self.granularity
        self.minimum = minimum?.nanoseconds.magnitude ?? 0
    }

    /// The wait as it is now, with back-off (§5.5).
    var timeout: UInt64 {
        var timeout = unbackedTimeout
        for _ in 0..<expiries where timeout < Self.maximum { timeout *= 2 }
        return min(timeout, Self.maximum)
    }

    @inline(__always)
    mutating func start(at now: UInt64) {
        deadline = now &+ (expiries == 0 ? unbackedTimeout : timeout)
    }

    @inline(__always)
    mutating func stop() { deadline = Self.never }

    mutating func expire() { expiries += 1 }

    /// New data was acknowledged after so long (§2.2, §2.3); the back-off is over.
    @inline(__always)
    mutating func measure(_ roundTrip: UInt64) {
        expiries = 0
        if smoothed == 0 {
            smoothed = roundTrip
            variation = roundTrip / 2
        } else {
            let difference = roundTrip > smoothed ? roundTrip - smoothed : smoothed - roundTrip
            variation = variation - variation / 4 + difference / 4
            smoothed = smoothed - smoothed / 8 + roundTrip / 8
        }
        unbackedTimeout = min(
            max(smoothed + max(4 * variation, margin), minimum), Self.maximum)
    }
}
