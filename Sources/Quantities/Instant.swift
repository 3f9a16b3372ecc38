/// A moment on the run's own clock: nanoseconds since the run began.
///
/// `package` alone would keep its arithmetic from being inlined where packets are timed.
public struct Instant: Hashable, Sendable {
    public let nanoseconds: UInt64

    @inlinable public static var start: Instant { Instant(nanoseconds: 0) }

    /// The end of time, after 292 years: nothing happens then or later, and larger sums saturate
    /// here.
    @inlinable public static var end: Instant { Instant(nanoseconds: UInt64(Int64.max)) }

    @inlinable public init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

    public var sinceStart: TimeSpan { TimeSpan(nanoseconds: Int64(nanoseconds)) }

    /// The value in seconds, for figures and reports; never for a decision.
    public var seconds: Double { Double(nanoseconds) / 1e9 }
}

extension Instant: Comparable {
    @inlinable public static func == (left: Self, right: Self) -> Bool {
        left.nanoseconds == right.nanoseconds
    }
    @inlinable public static func < (left: Self, right: Self) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    @inlinable public static func + (left: Self, right: TimeSpan) -> Self {
        guard right.nanoseconds >= 0 else {
            return Self(nanoseconds: left.nanoseconds - right.nanoseconds.magnitude)
        }
        // Both are at most about 2⁶³, so the sum fits.
        let sum = left.nanoseconds + right.nanoseconds.magnitude
        return sum > Self.end.nanoseconds ? .end : Self(nanoseconds: sum)
    }
    @inlinable public static func - (left: Self, right: Self) -> TimeSpan {
        TimeSpan(nanoseconds: Int64(left.nanoseconds) - Int64(right.nanoseconds))
    }
}

extension Instant? {
    /// Moves a deadline forward to `other` if that comes first.
    @inlinable package mutating func advance(to other: Instant?) {
        if let other { self = Swift.min(self ?? other, other) }
    }
}

extension Instant: CustomStringConvertible {
    /// The moment in seconds to the microsecond, as in reports and `diff`.
    public var description: String {
        decimal(nanoseconds, per: 1_000_000_000, places: 6) + " s"
    }
}

extension Instant: Codable {
    public init(from decoder: any Decoder) throws { nanoseconds = try UInt64(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try nanoseconds.encode(to: encoder) }
}
