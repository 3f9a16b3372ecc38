package import RunLog

/// How far one direction of a TCP connection has come, as its sender sees it: a packet counts when
/// it is sent, an acknowledgement when it is delivered.
///
/// Positions count sequence numbers from that of the SYN, so that the first byte is at 1. They do
/// not wrap after 4 GiB.
package struct StreamProgress: Sendable {
    private var origin: UInt32?
    /// The position after the latest number sent, and the one after the latest byte.
    private var end: UInt64 = 0
    private var bytesEnd: UInt64 = 1
    private var acknowledged: UInt64 = 0
    /// The segment whose acknowledgement ends the current measurement of the round-trip time.
    private var timed: (end: UInt64, at: UInt64)?

    package init() {}

    /// The positions of a packet that takes sequence numbers.
    package struct Segment {
        package var range: Range<UInt64>
        /// Whether its beginning was sent before.
        package var isRepeated: Bool
    }

    package struct Acknowledgement {
        /// The first position that is not acknowledged.
        package var position: UInt64
        /// The round-trip time that it measures, in nanoseconds.
        package var roundTrip: UInt64?
    }

    /// The bytes of the stream that were sent, those that were acknowledged, and their difference.
    package var sent: UInt64 { bytesEnd - 1 }
    package var arrived: UInt64 { min(max(acknowledged, 1), bytesEnd) - 1 }
    package var inFlight: UInt64 { sent - arrived }

    /// Reads a packet that is sent; returns `nil` if it takes no sequence numbers.
    package mutating func sends(_ record: PacketRecord) -> Segment? {
        let opens = record.flags.contains(.syn)
        let length =
            UInt64(record.payload) + (opens ? 1 : 0) + (record.flags.contains(.fin) ? 1 : 0)
        guard length > 0 else { return nil }
        // A capture may begin in the middle of a stream.
        if origin == nil { origin = opens ? record.sequence : record.sequence &- 1 }
        if end == 0, !opens { (end, acknowledged) = (1, 1) }
        guard let position = position(of: record.sequence) else { return nil }
        let segment = Segment(range: position..<position + length, isRepeated: position < end)
        if segment.isRepeated {
            // An acknowledgement that may owe itself to a retransmission measures nothing (RFC 6298
            // §3, Karn's algorithm).
            if let timed, position < timed.end { self.timed = nil }
        } else if timed == nil {
            timed = (segment.range.upperBound, record.atNanoseconds)
        }
        end = max(end, segment.range.upperBound)
        if record.payload > 0 {
            bytesEnd = max(bytesEnd, position + (opens ? 1 : 0) + UInt64(record.payload))
        }
        return segment
    }

    /// Reads an acknowledgement that has reached the sender; returns `nil` if it is not new.
    package mutating func hears(_ record: PacketRecord) -> Acknowledgement? {
        guard record.flags.contains(.ack), let position = position(of: record.acknowledgement),
            position > acknowledged, position <= end
        else { return nil }
        acknowledged = position
        guard let timed, timed.end <= position else {
            return Acknowledgement(position: position)
        }
        self.timed = nil
        return Acknowledgement(
            position: position,
            roundTrip: max(record.atNanoseconds, timed.at) - timed.at)
    }

    /// Returns the position of a sequence number near the end; `nil` if it is before the SYN.
    package func position(of sequence: UInt32) -> UInt64? {
        guard let origin else { return nil }
        let latest = origin &+ UInt32(truncatingIfNeeded: end)
        let distance = Int64(Int32(bitPattern: sequence &- latest))
        return UInt64(exactly: Int64(end) + distance)
    }
}
