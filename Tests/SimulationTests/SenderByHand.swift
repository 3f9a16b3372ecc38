import RunLog
import RunPlan
import Testing

@testable import Simulation

/// A sender whose segments and acknowledgements a test makes one by one, counted in whole segments;
/// times in milliseconds.
struct SenderByHand: ~Copyable {
    var sender = TCPSender(initialSequence: 0, controller: CongestionController(.newReno))

    static let segment: UInt64 = 1448

    /// So many segments left at the start; the round trip is 40 ms.
    init(flying count: UInt64) {
        sender.dataEnd = 1 + count * Self.segment
        sender.next = 1
        acknowledge(0, echo: 0, at: 40)
        leave(count, at: 0)
    }

    /// So many more leave for the first time.
    mutating func leave(_ count: UInt64, at now: UInt64) {
        for _ in 0..<count {
            sender.scoreboard.append(
                .init(
                    start: sender.next, sentAt: Self.time(now), payload: UInt16(Self.segment),
                    hasFin: false))
            sender.next += Self.segment
        }
        sender.dataEnd = max(sender.dataEnd, sender.next)
    }

    /// The foremost that is lost leaves again.
    mutating func repeatOne(_ number: UInt64, at now: UInt64) {
        let first = sender.scoreboard.firstLost()
        #expect(first?.start == 1 + number * Self.segment)
        sender.scoreboard.firstLostLeaves(at: Self.time(now))
        sender.recovery.alarm.repeats(at: Self.time(now))
    }

    /// An acknowledgement of everything before a segment, with blocks of what came twice or came
    /// beyond a hole.
    mutating func acknowledge(
        _ number: UInt64, echo: UInt64, blocks: [Range<UInt64>] = [], at now: UInt64
    ) {
        let acknowledged = 1 + number * Self.segment
        var sacks = SelectiveAcknowledgement()
        for block in blocks {
            let range = 1 + block.lowerBound * Self.segment..<1 + block.upperBound * Self.segment
            sacks.append(.init(range, acknowledging: acknowledged))
        }
        let packet = Packet(
            endpoint: 0, sequence: 0, stamp: Self.time(now), acknowledgement: acknowledged,
            echo: Self.time(echo), window: 4 << 10, payload: 0, form: sacks.form, flags: .ack)
        _ = sender.acknowledgementArrived(packet, with: sacks, at: Self.time(now))
    }

    /// The last leaves once more, as there was silence for long.
    mutating func probe(at now: UInt64) {
        let isRepetition = sender.probeIsDue(at: Self.time(now))
        #expect(isRepetition)
        _ = sender.scoreboard.lastLeaves(at: Self.time(now))
    }

    mutating func timeOut(at now: UInt64) { sender.timedOut(at: Self.time(now)) }

    static func time(_ milliseconds: UInt64) -> UInt64 { milliseconds * 1_000_000 }

    /// How many whole segments the controller allows.
    var window: UInt64 { sender.controller.window / Self.segment }
    var inFlight: UInt64 { sender.scoreboard.inFlight / Self.segment }
    var lostCount: Int { sender.scoreboard.lostCount }
    var phase: LossRecovery.Phase { sender.recovery.phase }
    var holdsRepetitions: Bool { sender.holdsRepetitions }
}
