package import Quantities

/// Counts of one bulk flow over a link, made from its packets alone, so that both worlds count
/// alike.
///
/// The flow begins with its first packet. It ends with the last loss of its pattern, or at its
/// limit; later packets are not counted. Its goodput is what the receiver had acknowledged by then.
package struct BulkFlowBook: Sendable {
    private let pattern: [UInt64]
    private let limit: TimeSpan
    package private(set) var start: Instant?
    package private(set) var end: Instant?
    /// Bytes of the stream that the receiver has acknowledged without a gap.
    package private(set) var acknowledged: UInt64 = 0
    /// Packets with data that arrived at the link, including lost and dropped ones.
    package private(set) var dataPackets: UInt64 = 0
    /// The times at which the pattern lost a packet.
    package private(set) var losses: [Instant] = []
    package private(set) var queueDrops: UInt64 = 0
    /// Packets whose data had been sent before.
    package private(set) var retransmissions: UInt64 = 0
    /// The most bytes that were sent and not acknowledged at a time.
    package private(set) var peakFlight: UInt64 = 0
    /// The acknowledged sequence number.
    private var acknowledgedNumber: UInt32?
    /// Number after the last byte sent.
    private var sentNumber: UInt32?
    /// The counts at every tenth of a second.
    package private(set) var samples: [Sample] = []

    package struct Sample: Hashable, Sendable {
        package var at: Instant
        package var acknowledged: UInt64
        package var dataPackets: UInt64
        package var losses: Int
        package var queueDrops: UInt64
    }

    package static let interval = TimeSpan.milliseconds(100)

    /// - Parameter pattern: The indices of the data packets that the link loses, in rising order.
    package init(pattern: [UInt64], limit: TimeSpan) {
        self.pattern = pattern
        self.limit = limit
        losses.reserveCapacity(pattern.count)
        samples.reserveCapacity(Int(limit.nanoseconds / Self.interval.nanoseconds) + 1)
    }

    package var isOver: Bool { end != nil }

    /// The goodput over the flow's whole time, in bits per second.
    package var goodput: Double {
        guard let start, let end, end > start else { return 0 }
        return Double(acknowledged) * 8 / (end - start).seconds
    }

    /// Lets the time of the flow begin, unless it has.
    package mutating func begin(at now: Instant) {
        if start == nil { start = now }
        advance(to: now)
    }

    /// Notes a packet of the sender at the link, with its sequence number.
    package mutating func sent(_ number: UInt32, payload: Int, at now: Instant) {
        begin(at: now)
        guard payload > 0, !isOver else { return }
        noteContent(upTo: number &+ UInt32(payload))
        if losses.count < pattern.count, pattern[losses.count] == dataPackets {
            losses.append(now)
            if losses.count == pattern.count { end = now }
        }
        dataPackets += 1
    }

    /// Notes that a packet of the sender found no room in the queue.
    package mutating func foundNoRoom() { if !isOver { queueDrops += 1 } }

    /// Notes the sequence number of the sender's SYN.
    package mutating func opened(with number: UInt32) {
        guard acknowledgedNumber == nil else { return }
        acknowledgedNumber = number &+ 1
        sentNumber = acknowledgedNumber
    }

    /// Notes an acknowledgement of the receiver.
    package mutating func acknowledged(to number: UInt32, at now: Instant) {
        advance(to: now)
        guard !isOver, let before = acknowledgedNumber else { return }
        let progress = Self.progress(from: before, to: number)
        guard progress > 0 else { return }
        acknowledgedNumber = number
        acknowledged += UInt64(progress)
    }

    /// Takes the samples that are due.
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

    private mutating func noteContent(upTo end: UInt32) {
        guard let before = sentNumber, let acknowledgedNumber else { return }
        guard Self.progress(from: before, to: end) > 0 else {
            retransmissions += 1
            return
        }
        sentNumber = end
        let flight = Self.progress(from: acknowledgedNumber, to: end)
        peakFlight = max(peakFlight, UInt64(max(flight, 0)))
    }

    /// Sequence numbers wrap, but never move by half of their range at once.
    private static func progress(from number: UInt32, to other: UInt32) -> Int32 {
        Int32(bitPattern: other &- number)
    }

    private func nextSample(_ start: Instant) -> Instant? {
        let due = start + Self.interval * Int64(samples.count + 1)
        return due <= start + limit ? due : nil
    }
}
