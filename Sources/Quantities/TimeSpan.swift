/// A length of time in whole nanoseconds; it may be negative.
public struct TimeSpan: Hashable, Sendable {
    public let nanoseconds: Int64

    @inlinable public static var zero: TimeSpan { TimeSpan(nanoseconds: 0) }

    @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Makes a span of microseconds.
    public static func microseconds(_ count: Int64) -> Self { .init(nanoseconds: count * 1_000) }
    /// Makes a span of milliseconds.
    public static func milliseconds(_ count: Int64) -> Self {
        .init(nanoseconds: count * 1_000_000)
    }
    /// Makes a span of seconds.
    public static func seconds(_ count: Int64) -> Self {
        .init(nanoseconds: count * 1_000_000_000)
    }

    /// The value in seconds, for figures and reports; never for a decision.
    public var seconds: Double { Double(nanoseconds) / 1e9 }
}

extension TimeSpan: Comparable {
    @inlinable public static func < (left: Self, right: Self) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
    @inlinable public static func + (left: Self, right: Self) -> Self {
        .init(nanoseconds: left.nanoseconds + right.nanoseconds)
    }
    @inlinable public static func - (left: Self, right: Self) -> Self {
        .init(nanoseconds: left.nanoseconds - right.nanoseconds)
    }
    @inlinable public static func * (left: Self, right: Int64) -> Self {
        .init(nanoseconds: left.nanoseconds * right)
    }
}

extension TimeSpan: CustomStringConvertible {
    /// The span with at most three significant digits, in a suitable unit: `1.25 s`, `40 ms`, `2
    /// min`.
    public var description: String {
        let size = nanoseconds.magnitude
        let sign = nanoseconds < 0 ? "-" : ""
        let units: [(UInt64, String)] = [
            (3_600_000_000_000, "h"), (60_000_000_000, "min"), (1_000_000_000, "s"),
            (1_000_000, "ms"), (1_000, "µs"),
        ]
        // Minutes and hours are used only if they are exact.
        for (unit, name) in units where size >= unit {
            if unit > 1_000_000_000 && (size % unit != 0 || size / unit < 2) { continue }
            return sign + decimal(size, per: unit, places: 3) + " " + name
        }
        return "\(sign)\(size) ns"
    }
}

extension TimeSpan: Codable {
    public init(from decoder: any Decoder) throws { nanoseconds = try Int64(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try nanoseconds.encode(to: encoder) }
}

extension TimeSpan {
    /// The exact value in seconds, such as `0.040096`, for programs that read it.
    package var secondsText: String {
        (nanoseconds < 0 ? "-" : "")
            + decimal(nanoseconds.magnitude, per: 1_000_000_000, places: 9)
    }
}

/// Returns `value / unit` with at most `places` decimals and no trailing zeros, by integer
/// arithmetic.
func decimal(_ value: UInt64, per unit: UInt64, places: Int) -> String {
    var scale: UInt64 = 1
    for _ in 0..<places { scale *= 10 }
    let scaled = unit.dividingFullWidth(value.multipliedFullWidth(by: scale)).quotient
    let whole = scaled / scale
    var fraction = String(scaled % scale)
    fraction = String(repeating: "0", count: places - fraction.count) + fraction
    while fraction.hasSuffix("0") { fraction.removeLast() }
    return fraction.isEmpty ? "\(whole)" : "\(whole).\(fraction)"
}
