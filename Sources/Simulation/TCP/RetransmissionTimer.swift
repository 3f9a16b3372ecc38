import Quantities

/// The retransmission timer of RFC 6298, in nanoseconds. The variation is Linux's: the largest mean
/// deviation within a round trip, which falls slowly; a fall of the round trip counts little.
///
/// Timestamps (RFC 7323) tell which transmission is answered. Karn's ambiguity does not arise, and
/// every acknowledgement of new data is a measurement.
struct RetransmissionTimer {
    /// Time of expiry; `never` while nothing is outstanding.
    private(set) var deadline = Self.never
    /// Timeouts in a row.
    private(set) var expiries = 0
    private(set) var smoothed: UInt64 = 0
    /// Four times the mean deviation, and the share of the timeout that follows from it.
    private var deviation: UInt64 = 0
    private var variation: UInt64 = 0
    /// The largest deviation of the current round trip, and the number that ends it.
    private var peak: UInt64 = 0
    private var roundEnd: UInt64 = 0
    private var unbackedTimeout = Self.initial
    /// Minimum of the variation term, and minimum of the timeout.
    private let margin: UInt64
    private let minimum: UInt64
    private let isLinux: Bool

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
        isLinux = minimum == nil
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

    /// Takes a measurement (§2.2, §2.3) and ends the back-off. Everything before `acknowledged` is
    /// acknowledged, and `next` follows the latest segment.
    @inline(__always)
    mutating func measure(_ roundTrip: UInt64, acknowledged: UInt64, next: UInt64) {
        expiries = 0
        if smoothed == 0 {
            smoothed = roundTrip
            deviation = 2 &* roundTrip
            variation = max(deviation, margin)
            (peak, roundEnd) = (variation, next)
        } else {
            deviate(by: roundTrip)
            smoothed = smoothed &- smoothed / 8 &+ roundTrip / 8
            if isLinux { judgeVariation(acknowledged: acknowledged, next: next) }
        }
        unbackedTimeout = min(max(smoothed &+ variation, minimum), Self.maximum)
    }

    @inline(__always)
    private mutating func deviate(by roundTrip: UInt64) {
        let difference = roundTrip > smoothed ? roundTrip &- smoothed : smoothed &- roundTrip
        let share = deviation / 4
        if difference <= share || !isLinux || roundTrip > smoothed {
            deviation = deviation &- share &+ difference
        } else {
            // As in Linux, a shorter round trip raises the deviation by an eighth of the rest.
            deviation = deviation &+ (difference &- share) / 8
        }
        if !isLinux { variation = max(deviation, margin) }
    }

    /// Follows the largest deviation at once, and falls to it by a quarter each round trip.
    @inline(__always)
    private mutating func judgeVariation(acknowledged: UInt64, next: UInt64) {
        if deviation > peak { peak = deviation }
        if peak > variation { variation = peak }
        guard acknowledged > roundEnd else { return }
        if peak < variation { variation = variation &- (variation &- peak) / 4 }
        (peak, roundEnd) = (margin, next)
    }
}
