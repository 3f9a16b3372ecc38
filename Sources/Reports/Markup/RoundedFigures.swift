import Foundation
package import Quantities

/// Quantities rounded for people to four significant digits; logs keep every digit.
extension TimeSpan {
    /// The span in one unit up to ten minutes, and in two units above: `3 h 12 min`.
    package var rounded: String {
        let size = nanoseconds.magnitude
        guard size > 0 else { return "0 s" }
        guard size >= 1_000 else { return description }
        guard size < 600_000_000_000 else {
            return Self.inTwoUnits(size, sign: nanoseconds.signum())
        }
        return TimeSpan(nanoseconds: Int64(roundedToFour(size)) * nanoseconds.signum()).description
    }
}

extension TimeSpan {
    /// Returns a long span: the largest unit that fits, and the next smaller one.
    private static func inTwoUnits(_ size: UInt64, sign: Int64) -> String {
        let units: [(name: String, seconds: UInt64)] = [
            ("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1),
        ]
        let second: UInt64 = 1_000_000_000
        let first = units.firstIndex { size >= $0.seconds * 2 * second } ?? 2
        let (large, small) = (units[first], units[first + 1])
        let count = (size + small.seconds * second / 2) / (small.seconds * second)
        let ratio = large.seconds / small.seconds
        let rest = count % ratio == 0 ? "" : " \(count % ratio) \(small.name)"
        return (sign < 0 ? "-" : "") + "\(count / ratio) \(large.name)\(rest)"
    }
}

extension Instant {
    /// The moment exactly up to ten minutes after the start, and by the clock above: `1:25:25.788`.
    var told: String {
        let milliseconds = (nanoseconds + 500_000) / 1_000_000
        guard milliseconds >= 600_000 else { return description }
        let (hours, rest) = (milliseconds / 3_600_000, milliseconds % 3_600_000)
        return String(
            format: "%d:%02d:%02d.%03d", Int(hours), Int(rest / 60_000),
            Int(rest / 1_000 % 60), Int(rest % 1_000))
    }
}

extension ByteCount {
    package var rounded: String { ByteCount(roundedToFour(bytes)).description }
}

extension Bitrate {
    package var rounded: String {
        Bitrate(bitsPerSecond: roundedToFour(bitsPerSecond)).description
    }
}

private func roundedToFour(_ value: UInt64) -> UInt64 {
    var unit: UInt64 = 1
    while value / unit >= 10_000 { unit *= 10 }
    return (value + unit / 2) / unit * unit
}
