package import Quantities

/// Controlled delay (RFC 8289): drops at the head if the queueing delay is too long for too long. A
/// standing queue is a queue whose delay stays above the target for an interval. From then on
/// packets are dropped one at a time, until the delay is short again. The next drop comes an
/// interval / √n after the n-th.
package struct CoDel: Sendable {
    private let interval: UInt64
    private let target: UInt64
    private let marks: Bool
    private let threshold: UInt64?
    private var firstAbove: UInt64?
    private var isDropping = false
    private(set) var dropNext: UInt64 = 0
    private var count: UInt64 = 0
    private var lastCount: UInt64 = 0

    package struct Options: Hashable, Sendable {
        package var target = TimeSpan.milliseconds(5)
        package var interval = TimeSpan.milliseconds(100)
        /// Whether the queue marks ECN-capable packets instead of dropping them.
        package var marks = false
        /// A delay beyond which every ECN-capable packet is marked, for DCTCP: Linux's
        /// `ce_threshold`.
        package var threshold: TimeSpan?

        package init() {}
    }

    /// The size of a full packet. A queue that holds no more is not a standing queue.
    private static let fullPacket: UInt64 = 1_500

    init(_ options: Options) {
        interval = options.interval.nanoseconds.magnitude
        target = options.target.nanoseconds.magnitude
        marks = options.marks
        threshold = options.threshold.map(\.nanoseconds.magnitude)
    }

    /// Returns the next packet of a sub-queue. Marks packets instead of dropping them where it may,
    /// and beyond the threshold.
    mutating func dequeue(
        _ line: Int, at now: UInt64, _ room: inout WaitingRoom, _ givenUp: inout [Int32]
    ) -> WaitingPacket? {
        let packet = controlled(line, at: now, &room, &givenUp)
        guard let threshold, let packet, packet.isMarkable, now - packet.enqueuedAt > threshold
        else { return packet }
        return packet.marked
    }

    /// Returns the next packet by the control law (§5.5).
    private mutating func controlled(
        _ line: Int, at now: UInt64, _ room: inout WaitingRoom, _ givenUp: inout [Int32]
    ) -> WaitingPacket? {
        var (packet, mayDrop) = take(line, at: now, &room)
        if isDropping {
            if !mayDrop { isDropping = false }
            while isDropping, now >= dropNext, let victim = packet {
                count += 1
                if marks, victim.isMarkable {
                    dropNext = control(dropNext)
                    return victim.marked
                }
                givenUp.append(victim.place)
                (packet, mayDrop) = take(line, at: now, &room)
                if mayDrop { dropNext = control(dropNext) } else { isDropping = false }
            }
        } else if mayDrop, let victim = packet {
            if marks, victim.isMarkable {
                packet = victim.marked
            } else {
                givenUp.append(victim.place)
                (packet, _) = take(line, at: now, &room)
            }
            isDropping = true
            // Soon after the last drop phase, dropping continues at nearly the same pace.
            let delta = count - lastCount
            let isSoon = now < dropNext + 16 * interval
            count = delta > 1 && isSoon ? delta : 1
            dropNext = control(now)
            lastCount = count
        }
        return packet
    }

    /// Returns the first packet, and whether the delay has been too long for too long.
    private mutating func take(
        _ line: Int, at now: UInt64, _ room: inout WaitingRoom
    ) -> (WaitingPacket?, mayDrop: Bool) {
        guard let packet = room.removeFirst(of: line) else {
            firstAbove = nil
            return (nil, false)
        }
        if now - packet.enqueuedAt < target || room.bytes(in: line) <= Self.fullPacket {
            firstAbove = nil
            return (packet, false)
        }
        guard let firstAbove else {
            self.firstAbove = now + interval
            return (packet, false)
        }
        return (packet, now >= firstAbove)
    }

    /// Returns the moment of the next drop. IEEE division and square root are the same on every
    /// machine.
    private func control(_ moment: UInt64) -> UInt64 {
        moment + UInt64(Double(interval) / Double(count).squareRoot())
    }
}
