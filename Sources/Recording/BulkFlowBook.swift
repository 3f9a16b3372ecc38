package import Quantities

/// The books of one bulk flow over a link, kept alike in both worlds: they are told of packets, and
/// nothing else.
///
/// The flow's time begins with its first packet. It is over with the last loss of its pattern, or
/// at its limit; what happens later is not its business any more. Its goodput counts what the
/// receiver has acknowledged by then.
package struct BulkFlowBook: Sendable {
    private let pattern: [UInt64]
    private let limit: TimeSpan
    package private(set) var start: Instant?
    package private(set) var end: Instant?
    /// Bytes of the stream that the receiver has said it has, without a hole.
    package private(set) var acknowledged: UInt64 = 0
    /// Packets with data that came to the link, those that it lost or had no room for included.
    package private(set) var dataPackets: UInt64 = 0
    /// When the pattern took a packet.
    package private(set) var losses: [Instant] = []
    package private(set) var queueDrops: UInt64 = 0
    /// The number on the wire up to which the stream is acknowledged.
    private var acknowledgedNumber: UInt32?
    /// How things stood at every tenth of a second.
    package private(set) var samples: [Sample] = []

    package struct Sample: Hashable, Sendable {
        package var at: Instant
        package var acknowledged: UInt64
        package var dataPackets: UInt64
        package var losses: Int
        package var queueDrops: UInt64
    }

    package static let interval = TimeSpan.milliseconds(100)

    /// `pattern` holds the indices of the data packets that the link loses, rising.
    package init(pattern: [UInt64], limit: TimeSpan) {
        self.pattern = pattern
        self.limit = limit
        losses.reserveCapacity(pattern.count)
        samples.reserveCapacity(Int(limit.nanoseconds / Self.interval.nanoseconds) + 1)
    }

    package var isOver: Bool { end != nil }

    /// In bits per second, over the whole of its time.
    package var goodput: Double {
        guard let start, let end, end > start else { return 0 }
        return Double(acknowledged) * 8 / (end - start).seconds
    }

    /// The sender's packet comes to the link.
    package mutating func sent(carriesData: Bool, at now: Instant) {
        if start == nil { start = now }
        advance(to: now)
        guard carriesData, !isOver else { return }
        if losses.count < pattern.count, pattern[losses.count] == dataPackets {
            losses.append(now)
            if losses.count == pattern.count { end = now }
        }
        dataPackets += 1
    }

    /// The sender's packet found no room.
    package mutating func foundNoRoom() { if !isOver { queueDrops += 1 } }

    /// The sender's SYN says with which number on the wire its stream begins.
    package mutating func opened(with number: UInt32) {
        if acknowledgedNumber == nil { acknowledgedNumber = number &+ 1 }
    }

    /// The receiver's packet comes to the link back, and says which number it expects next.
    package mutating func acknowledged(to number: UInt32, at now: Instant) {
        advance(to: now)
        guard !isOver, let before = acknowledgedNumber else { return }
        // Numbers on the wire wrap; they never move by half of their range at once.
        let progress = Int32(bitPattern: number &- before)
        guard progress > 0 else { return }
        acknowledgedNumber = number
        acknowledged += UInt64(progress)
    }

    /// Nothing has happened until now.
    package mutating func advance(to now: Instant) {
        guard let start, !isOver else { return }
        while let due = nextSample(start), due <= now {
            samples.append(
                Sample(
                    at: due, acknowledged: acknowledged, dataPackets: dataPackets,
                    losses: losses.count, queueDrops: queueDrops))
        }
        if now >= start + limit { end = start + limit }
    }

    private func nextSample(_ start: Instant) -> Instant? {
        let due = start + Self.interval * Int64(samples.count + 1)
        return due <= start + limit ? due : nil
    }
}
