import Quantities

/// Bytes over time in equal buckets; they become twice as wide whenever there would be too many.
struct TimeBuckets: Sendable {
    static let limit = 600
    static let firstWidth = TimeSpan.milliseconds(10)

    private(set) var bytes: [UInt64] = []
    private var widthNanoseconds = UInt64(Self.firstWidth.nanoseconds)
    /// The bucket that the last bytes fell into: most packets fall into the same one.
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

    /// The same bytes in buckets wide enough to reach up to a moment, however long nothing came.
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
