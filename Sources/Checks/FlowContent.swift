import Quantities
import RunLog

/// The bytes that the packets of a flow carry: what was sent, what was sent before, and what
/// arrived for the first time.
struct FlowContent: Sendable {
    /// TCP's sequence numbers and acknowledgements.
    var stream = StreamProgress()
    /// The bytes of a datagram that are not content; `nil` for TCP.
    private let overhead: UInt64?
    /// The end of what a flow of the paced transport has sent.
    private var end: UInt64 = 0
    private var arrived = ArrivedContent()

    init(_ flow: NamedFlow) { overhead = flow.overhead?.bytes }

    /// Whether an arrival of content tells what came through; TCP's receiver acknowledges it.
    var countsArrivals: Bool { overhead != nil }

    /// Reads a packet that is sent; returns its content, and whether that was sent before. `nil` if
    /// there is none.
    mutating func sends(_ record: PacketRecord) -> (bytes: UInt64, isRepeated: Bool)? {
        guard overhead != nil else {
            return stream.sends(record).map { (UInt64(record.payload), $0.isRepeated) }
        }
        guard let range = range(of: record) else { return nil }
        defer { end = max(end, range.upperBound) }
        return (UInt64(range.count), range.lowerBound < end)
    }

    /// Reads a packet that is delivered; returns how much of its content is new, and how much is
    /// not.
    mutating func delivers(_ record: PacketRecord) -> (new: UInt64, known: UInt64) {
        guard let range = range(of: record) else { return (0, 0) }
        let new = arrived.add(range)
        return (new, UInt64(range.count) - new)
    }

    /// Returns the bytes of a packet, counted from the first byte of the flow.
    private func range(of record: PacketRecord) -> Range<UInt64>? {
        guard let overhead else {
            guard record.payload > 0, let position = stream.position(of: record.sequence),
                position > 0
            else { return nil }
            return position - 1..<position - 1 + UInt64(record.payload)
        }
        guard record.payload > overhead else { return nil }
        let distance = Int32(bitPattern: record.sequence &- UInt32(truncatingIfNeeded: end))
        guard let begin = UInt64(exactly: Int64(end) + Int64(distance)) else { return nil }
        return begin..<begin + UInt64(record.payload) - overhead
    }
}
