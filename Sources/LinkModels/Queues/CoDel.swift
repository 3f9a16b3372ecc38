package import Quantities

/// Controlled delay (RFC 8289): drops at the head when packets have waited too long for too long.
///
/// A standing queue is one whose waiting never falls below the target for an interval. From then
/// on one packet is dropped at a time, the n-th an interval / √n after the one before it, until the
/// waiting is short again.
package struct CoDel: Sendable {
    private let interval: UInt64
    private let target: UInt64
    private let marks: Bool
    private var firstAbove: UInt64?
    private var isDropping = false
    private(set) var dropNext: UInt64 = 0
    private var count: UInt64 = 0
    private var lastCount: UInt64 = 0

    package struct Options: Hashable, Sendable {
        package var target = TimeSpan.milliseconds(5)
        package var interval = TimeSpan.milliseconds(100)
        /// Whether it marks what can be marked instead of dropping it.
        package var marks = false

        package init() {}
    }

    /// Below a full packet there is no standing queue.
    private static let fullPacket: UInt64 = 1_500

    init(_ options: Options) {
        interval = options.interval.nanoseconds.magnitude
        target = options.target.nanoseconds.magnitude
        marks = options.marks
    }

    /// The next packet of a line, if one is left (§5.4); one that may be marked is, and goes on.
    mutating func dequeue(
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
            // Soon after the last time it begins where it was about to be.
            let delta = count - lastCount
            let isSoon = now < dropNext + 16 * interval
            count = delta > 1 && isSoon ? delta : 1
            dropNext = control(now)
            lastCount = count
        }
        return packet
    }

    /// The first packet, and whether it has waited too long for too long.
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

    /// Divisions and square roots of IEEE are the same everywhere.
    private func control(_ moment: UInt64) -> UInt64 {
        moment + UInt64(Double(interval) / Double(count).squareRoot())
    }
}
