import Content
import LinkModels
import Quantities
import RunLog
import RunPlan
import Simulation
import Testing

@testable import Simulation

@Suite struct SpuriousTimeoutTests {
    private static let segment: UInt64 = 1448
    private static let millisecond: UInt64 = 1_000_000

    @Test func `a timeout that the original's answer belies is undone`() {
        var sender = flying(10)
        sender.timedOut(at: 900 * Self.millisecond)
        #expect(sender.controller.window == Self.segment)
        repeatOne(of: &sender, at: 900 * Self.millisecond)
        acknowledge(2, echo: 0, by: &sender, at: 950 * Self.millisecond)
        #expect(sender.window >= 10 * Self.segment)
        #expect(sender.scoreboard.lostCount == 0)
        #expect(sender.scoreboard.inFlight == 8 * Self.segment)
    }

    @Test func `a timeout that the repetition's answer confirms stands`() {
        var sender = flying(10)
        sender.timedOut(at: 900 * Self.millisecond)
        repeatOne(of: &sender, at: 900 * Self.millisecond)
        acknowledge(1, echo: 900 * Self.millisecond, by: &sender, at: 950 * Self.millisecond)
        #expect(sender.window == 2 * Self.segment)
        #expect(sender.scoreboard.lostCount == 9)
    }

    /// So many segments that left at the start.
    private func flying(_ count: UInt64) -> TCPSender {
        var sender = TCPSender(initialSequence: 0, controller: CongestionController(.newReno))
        sender.dataEnd = 1 + count * Self.segment
        acknowledge(0, echo: 0, by: &sender, at: 0)
        for _ in 0..<count {
            sender.scoreboard.append(
                .init(
                    start: sender.next, sentAt: 0, payload: UInt16(Self.segment), hasFin: false))
            sender.next += Self.segment
        }
        return sender
    }

    private func repeatOne(of sender: inout TCPSender, at now: UInt64) {
        #expect(sender.scoreboard.firstLost()?.start == sender.unacknowledged)
        sender.scoreboard.firstLostLeaves(at: now)
        sender.recovery.repeats(at: now)
    }

    private func acknowledge(
        _ segments: UInt64, echo: UInt64, by sender: inout TCPSender, at now: UInt64
    ) {
        if sender.next == 0 { sender.next = 1 }
        let packet = Packet(
            endpoint: 0, sequence: 0, stamp: now, acknowledgement: 1 + segments * Self.segment,
            echo: echo, window: 4 << 20, payload: 0, size: UInt16(Packet.headerSize),
            flags: .ack)
        _ = sender.acknowledgementArrived(packet, at: now)
    }
}
