import Quantities

/// Bytes over time in equal buckets, whose width doubles if there would be too many.
struct TimeBuckets: Sendable {
    static let limit = 600
    static let firstWidth = TimeSpan.milliseconds(10)

    private(set) var bytes: [UInt64] = []
    private var widthNanoseconds = UInt64(Self.firstWidth.nanoseconds)
    /// The latest bucket; most packets belong to the same one.
    private var current = 0
    private var currentBegin: UInt64 = 0

    var width: TimeSpan { TimeSpan(nanoseconds: Int64(widthNanoseconds)) }

    @inline(__always)
    mutating func add(_ count: UInt64, at nanoseconds: UInt64) {
        if nanoseconds &- currentBegin >= widthNanoseconds || bytes.isEmpty {
            turn(to: nanoseconds)
        }
        bytes[current] += count
    }

    /// Returns the bytes in buckets that reach up to a moment, even after a long silence.
    func reaching(_ end: Instant) -> TimeBuckets {
        var buckets = self
        while end.nanoseconds / buckets.widthNanoseconds >= UInt64(Self.limit) { buckets.widen() }
        return buckets
    }

    private mutating func turn(to nanoseconds: UInt64) {
        while nanoseconds / widthNanoseconds >= UInt64(Self.limit) { widen() }
        current = Int(nanoseconds / widthNanoseconds)
        currentBegin = UInt64(current) * widthNanoseconds
        while bytes.count <= current { bytes.append(0) }
    }

    private mutating func widen() {
        widthNanoseconds *= 2
        for place in 0..<(bytes.count + 1) / 2 {
            let right = 2 * place + 1
            bytes[place] = bytes[2 * place] + (right < bytes.count ? bytes[right] : 0)
        }
        bytes.removeLast(bytes.count / 2)
    }
}
