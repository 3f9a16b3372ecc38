package import Quantities

/// Quantities rounded for people to four significant digits; logs keep every digit.
extension TimeSpan {
    package var rounded: String {
        let size = nanoseconds.magnitude
        guard size > 0 else { return "0 s" }
        guard size >= 1_000 else { return description }
        return TimeSpan(nanoseconds: Int64(roundedToFour(size)) * nanoseconds.signum()).description
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
