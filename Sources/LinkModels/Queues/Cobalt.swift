package import Quantities

/// CoDel and BLUE in one, as each sub-queue of CAKE has them (Høiland-Jørgensen, Täht and Morton,
/// “Piece of CAKE”, 2018).
///
/// After a pause, CoDel's drops are soon as frequent as before, because its count goes down step by
/// step instead of being forgotten. BLUE drops packets with a probability that rises while the
/// queue overflows, against senders that do not slow down.
package struct Cobalt: Sendable {
    private let target: UInt64
    private let interval: UInt64
    /// The time that a full packet takes on the link.
    private let packetTime: UInt64
    private var isDropping = false
    private var count: UInt64 = 0
    private var dropNext: UInt64 = 0
    /// BLUE's probability of a drop, in 4096ths, and when it last changed.
    private(set) var chance: UInt64 = 0
    private var chanceChanged: UInt64 = 0

    package struct Options: Hashable, Sendable {
        package var target = TimeSpan.milliseconds(5)
        package var interval = TimeSpan.milliseconds(100)

        package init() {}
    }

    private static let chanceUnit: UInt64 = 4_096
    /// The probability rises by a 256th, and falls by a 4096th.
    private static let rise: UInt64 = 16
    private static let fall: UInt64 = 1

    /// On a slow link the target is at least the time of one and a half full packets.
    init(_ options: Options, packetTime: UInt64) {
        let asked = options.target.nanoseconds.magnitude
        target = max(asked, packetTime * 3 / 2)
        interval = max(options.interval.nanoseconds.magnitude + target - asked, 2 * target)
        self.packetTime = packetTime
    }

    enum Verdict {
        case pass, mark, drop
    }

    /// Decides about a packet that is about to leave. Its flow takes turns with all busy ones.
    mutating func judge(
        _ packet: WaitingPacket, busyFlows: UInt64, at now: UInt64, _ random: inout RandomStream
    ) -> Verdict {
        let wait = now - packet.enqueuedAt
        // A wait for the turns of other flows is no standing queue.
        let isLong =
            wait > target && wait > 2 * packetTime * busyFlows && wait > 4 * packetTime
        var verdict = Verdict.pass
        let isDue = count > 0 && now >= dropNext
        if isLong, !isDropping {
            dropNext = control(now)
        }
        isDropping = isLong
        if isLong, count == 0 { count = 1 }
        if isDue, isDropping {
            verdict = packet.isMarkable ? .mark : .drop
            count += 1
            dropNext = control(dropNext)
        } else if isDue {
            settle(at: now)
        }
        // A sender that floods the link ignores marks.
        if chance > 0, random.next() % Self.chanceUnit < chance { verdict = .drop }
        if count == 0 {
            dropNext = now + interval
        } else if now > dropNext, verdict != .drop {
            dropNext = now
        }
        return verdict
    }

    /// Notes that the queue has overflowed because of this sub-queue.
    mutating func overflowed(at now: UInt64) {
        if now > chanceChanged + target {
            chance = min(chance + Self.rise, Self.chanceUnit)
            chanceChanged = now
        }
        isDropping = true
        dropNext = now
        count = max(count, 1)
    }

    /// Notes that the sub-queue has nothing to send.
    mutating func stoodEmpty(at now: UInt64) {
        if chance > 0, now > chanceChanged + target {
            chance -= Self.fall
            chanceChanged = now
        }
        isDropping = false
        if count > 0, now >= dropNext {
            count -= 1
            dropNext = control(dropNext)
        }
    }

    /// Whether all is as it was at first.
    func isAtRest(at now: UInt64) -> Bool { chance == 0 && count == 0 && now >= dropNext }

    /// Lowers the count for each drop that was due while the delay was short.
    private mutating func settle(at now: UInt64) {
        while count > 0, now >= dropNext {
            count -= 1
            dropNext = control(dropNext)
        }
    }

    private func control(_ moment: UInt64) -> UInt64 {
        moment + UInt64(Double(interval) / Double(max(count, 1)).squareRoot())
    }
}
