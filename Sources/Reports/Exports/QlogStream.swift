import Checks
import Quantities
import RunLog

/// One direction of a connection for qlog: its packets by number, and what its sender knows.
struct QlogStream {
    private var progress = StreamProgress()
    private var packets: UInt64 = 0
    /// The packets that the sender waits for, and those that the receiver has not acknowledged.
    private var unacknowledged = QlogOutstanding()
    private var unanswered = QlogOutstanding()
    private(set) var metrics = QlogMetrics()

    /// Reads a packet that is sent. Returns its number, and the packets whose bytes it repeats: its
    /// sender takes them for lost, or wants to hear about them.
    mutating func sends(
        _ record: PacketRecord
    ) -> (number: UInt64, repeated: [QlogOutstanding.Packet]) {
        let number = packets
        packets += 1
        guard let segment = progress.sends(record) else { return (number, []) }
        let repeated = segment.isRepeated ? unacknowledged.remove(within: segment.range) : []
        unacknowledged.add(
            .init(number: number, range: segment.range, isSYN: record.flags.contains(.syn)))
        metrics.bytesInFlight = progress.inFlight
        return (number, repeated)
    }

    /// Reads a packet that reaches the receiver.
    mutating func arrives(_ record: PacketRecord, number: UInt64) {
        let length = UInt64(record.payload) + record.numbersOfFlags
        guard length > 0, let position = progress.position(of: record.sequence) else { return }
        unanswered.add(
            .init(
                number: number, range: position..<position + length,
                isSYN: record.flags.contains(.syn)))
    }

    /// Reads an acknowledgement that the receiver sends; returns the packets that it acknowledges.
    mutating func answers(_ record: PacketRecord) -> [UInt64] {
        guard record.flags.contains(.ack),
            let position = progress.position(of: record.acknowledgement)
        else { return [] }
        return unanswered.take(before: position)
    }

    /// Reads an acknowledgement that reaches the sender; returns the packets that it acknowledges.
    mutating func hears(_ record: PacketRecord) -> [UInt64] {
        guard let heard = progress.hears(record) else { return [] }
        if let roundTrip = heard.roundTrip {
            let time = Double(roundTrip) / 1_000_000
            metrics.latestRtt = time
            metrics.minRtt = min(metrics.minRtt ?? time, time)
        }
        metrics.bytesInFlight = progress.inFlight
        return unacknowledged.take(before: heard.position)
    }

    mutating func read(_ window: CongestionWindow) {
        metrics.congestionWindow = window.size.bytes
        metrics.ssthresh = window.threshold?.bytes
        metrics.pacingRate = window.pacingRate?.bitsPerSecond
        metrics.smoothedRtt = window.smoothedRoundTrip.map { Double($0.nanoseconds) / 1_000_000 }
    }

    /// Returns the frame of a packet's bytes; `nil` if it has none and is not the last.
    func frame(of record: PacketRecord) -> QlogFrame? {
        let isLast = record.flags.contains(.fin)
        guard record.payload > 0 || isLast, let position = progress.position(of: record.sequence)
        else { return nil }
        return .stream(
            from: position + (record.flags.contains(.syn) ? 1 : 0) - 1, length: record.payload,
            isLast: isLast)
    }
}

/// Packets of a stream that wait for an acknowledgement, in the order of their numbers.
struct QlogOutstanding {
    private var packets: [Packet] = []
    /// Whether the positions rise with the numbers.
    private var isOrdered = true

    struct Packet {
        var number: UInt64
        var range: Range<UInt64>
        var isSYN: Bool
    }

    mutating func add(_ packet: Packet) {
        if let last = packets.last, last.range.upperBound > packet.range.lowerBound {
            isOrdered = false
        }
        packets.append(packet)
    }

    /// Removes the packets that have positions in a range.
    mutating func remove(within range: Range<UInt64>) -> [Packet] {
        let found = packets.filter { $0.range.overlaps(range) }
        if !found.isEmpty { packets.removeAll { $0.range.overlaps(range) } }
        return found
    }

    /// Removes the packets that end before a position or at it, and returns their numbers.
    mutating func take(before position: UInt64) -> [UInt64] {
        guard !isOrdered else {
            let count = packets.prefix { $0.range.upperBound <= position }.count
            defer { packets.removeFirst(count) }
            return packets.prefix(count).map(\.number)
        }
        let numbers = packets.filter { $0.range.upperBound <= position }.map(\.number)
        packets.removeAll { $0.range.upperBound <= position }
        if packets.isEmpty { isOrdered = true }
        return numbers.sorted()
    }
}

extension PacketRecord {
    /// The sequence numbers that the flags take.
    fileprivate var numbersOfFlags: UInt64 {
        (flags.contains(.syn) ? 1 : 0) + (flags.contains(.fin) ? 1 : 0)
    }
}
