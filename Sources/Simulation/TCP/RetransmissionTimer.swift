import Quantities

/// The retransmission timer of RFC 6298, in nanoseconds.
///
/// Timestamps (RFC 7323) tell which transmission is answered. Karn's ambiguity does not arise, and
/// every acknowledgement of new data is a measurement.
struct RetransmissionTimer {
    /// Time of expiry; `never` while nothing is outstanding.
    private(set) var deadline = Self.never
    /// Timeouts in a row.
    private(set) var expiries = 0
    private(set) var smoothed: UInt64 = 0
    private var variation: UInt64 = 0
    private var unbackedTimeout = Self.initial
    /// Minimum of the variation term, and minimum of the timeout.
    private let margin: UInt64
    private let minimum: UInt64

    static let never = UInt64.max
    /// Timeout before the first measurement (RFC 6298 §2.1).
    static let initial: UInt64 = 1_000_000_000
    /// Linux's minimum of the variation term; RFC 6298 §2.4 asks for a timeout of at least a
    /// second.
    static let minimumMargin: UInt64 = 200_000_000
    /// Clock granularity of RFC 6298 §2.3.
    private static let granularity: UInt64 = 1_000_000
    /// Linux's largest timeout; RFC 6298 §2.5 asks for at least 60 s.
    static let maximum: UInt64 = 120_000_000_000

    /// Creates a timer that behaves like Linux's, unless a `minimum` is given.
    init(minimum: TimeSpan? = nil) {
        margin = minimum == nil ? Self.minimumMargin : Self.granularity
        self.minimum = minimum?.nanoseconds.magnitude ?? 0
    }

    /// The current timeout, with back-off (§5.5).
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

    /// Takes a measurement (§2.2, §2.3) and ends the back-off.
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
