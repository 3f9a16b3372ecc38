import Quantities

/// The pace of a sender. Most packets have the size of the packet before, and take as long.
struct PacketPace: Sendable {
    private let bitsPerSecond: Double
    private var size = 0
    private var time = TimeSpan.zero

    init(bitsPerSecond: Double) { self.bitsPerSecond = bitsPerSecond }

    /// Returns the time from a packet of this size to the next packet.
    mutating func time(after size: Int) -> TimeSpan {
        if size != self.size {
            self.size = size
            time = TimeSpan(nanoseconds: Int64(Double(size * 8) / bitsPerSecond * 1e9))
        }
        return time
    }
}
