import Quantities
import RunLog

// What the events of a qlog trace hold. The names are those of qlog 0.3 and its events for QUIC, in
// which qvis also reads TCP; the encoder writes them in snake case.

/// An event of a trace, at a time in milliseconds since the run began.
struct QlogEvent<Content: Encodable>: Encodable {
    var time: Double
    var name: String
    var data: Content

    init(at nanoseconds: UInt64, _ name: String, _ data: Content) {
        time = Double(nanoseconds) / 1_000_000
        self.name = name
        self.data = data
    }
}

/// `transport:packet_sent` and `transport:packet_received`.
struct QlogPacket: Encodable {
    var header: QlogHeader
    var frames: [QlogFrame]
    var raw: Raw

    struct Raw: Encodable {
        /// The bytes of the whole IP packet, and of its content.
        var length: UInt16
        var payloadLength: UInt16
    }
}

struct QlogHeader: Encodable {
    /// qlog 0.3 has no words for TCP: a SYN is called `initial`, as the first packet of QUIC.
    var packetType: String
    /// The packet's number in its direction of the connection.
    var packetNumber: UInt64
    /// The bits of TCP's header.
    var flags: UInt16?
    var sequenceNumber: UInt32?
    var acknowledgementNumber: UInt32?

    init(_ record: PacketRecord, number: UInt64) {
        self.init(number: number, isSYN: record.flags.contains(.syn))
        flags = UInt16(record.ae) << 8 | UInt16(record.flags.rawValue)
        sequenceNumber = record.sequence
        acknowledgementNumber = record.flags.contains(.ack) ? record.acknowledgement : nil
    }

    init(number: UInt64, isSYN: Bool) {
        packetType = isSYN ? "initial" : "1RTT"
        packetNumber = number
    }
}

/// Content of a packet: bytes of the stream, or an acknowledgement of packets.
struct QlogFrame: Encodable, Hashable {
    var frameType: String
    var streamId: UInt64?
    var offset: UInt64?
    var length: UInt64?
    var fin: Bool?
    var ackedRanges: [[UInt64]]?

    static func stream(from offset: UInt64, length: UInt16, isLast: Bool) -> QlogFrame {
        QlogFrame(
            frameType: "stream", streamId: 0, offset: offset, length: UInt64(length), fin: isLast)
    }

    /// Acknowledges the packets with these numbers, in order; a duplicate acknowledges none.
    static func ack(of numbers: [UInt64]) -> QlogFrame {
        var ranges: [[UInt64]] = []
        for number in numbers {
            if let last = ranges.last, last[1] + 1 == number {
                ranges[ranges.count - 1][1] = number
            } else {
                ranges.append([number, number])
            }
        }
        return QlogFrame(frameType: "ack", ackedRanges: ranges.isEmpty ? nil : ranges)
    }
}

/// `recovery:packet_lost`.
struct QlogLoss: Encodable {
    var header: QlogHeader
}

/// `recovery:metrics_updated`; times are in milliseconds, sizes in bytes.
struct QlogMetrics: Encodable, Hashable {
    var minRtt: Double?
    var smoothedRtt: Double?
    var latestRtt: Double?
    var congestionWindow: UInt64?
    var bytesInFlight: UInt64?
    var ssthresh: UInt64?
    /// Bits per second.
    var pacingRate: UInt64?

    /// Returns the metrics that are others than before; `nil` if none is.
    func changes(since old: QlogMetrics) -> QlogMetrics? {
        guard self != old else { return nil }
        func changed<Value: Equatable>(_ metric: KeyPath<QlogMetrics, Value?>) -> Value? {
            self[keyPath: metric] == old[keyPath: metric] ? nil : self[keyPath: metric]
        }
        return QlogMetrics(
            minRtt: changed(\.minRtt), smoothedRtt: changed(\.smoothedRtt),
            latestRtt: changed(\.latestRtt), congestionWindow: changed(\.congestionWindow),
            bytesInFlight: changed(\.bytesInFlight), ssthresh: changed(\.ssthresh),
            pacingRate: changed(\.pacingRate))
    }
}
