import Testing

@testable import Simulation

/// When a recovery is taken back, in the way of Linux.
@Suite struct FalseAlarmTests {
    /// The first two of ten segments are taken for lost, and sent again at 50 ms.
    private static func alarmed() -> SenderByHand {
        var hand = SenderByHand(flying: 10)
        hand.acknowledge(0, echo: 0, blocks: [2..<5], at: 40)
        #expect(hand.phase == .repairing && hand.window == 5)
        hand.repeatOne(0, at: 50)
        hand.repeatOne(1, at: 50)
        return hand
    }

    @Test func `it waits for the answer to all that was sent again`() {
        var hand = Self.alarmed()
        // The first original arrives, with its own stamp; the second repetition is on the way.
        hand.acknowledge(1, echo: 0, blocks: [2..<5], at: 60)
        #expect(hand.phase == .repairing && hand.window == 5)
        hand.acknowledge(5, echo: 0, at: 61)
        #expect(hand.phase == .open && hand.window >= 10)
    }

    @Test func `while it waits nothing more is taken for lost, or sent again`() {
        var hand = SenderByHand(flying: 10)
        hand.acknowledge(0, echo: 0, blocks: [3..<6], at: 40)
        hand.repeatOne(0, at: 50)
        hand.repeatOne(1, at: 50)
        hand.leave(1, at: 50)
        #expect(hand.lostCount == 1)
        hand.acknowledge(1, echo: 0, blocks: [10..<11, 3..<6], at: 90)
        #expect(hand.lostCount == 1)
        #expect(hand.holdsRepetitions == true)
        // Any other acknowledgement shows what is lost, and sends it again.
        hand.acknowledge(1, echo: 0, blocks: [10..<11, 3..<6], at: 91)
        #expect(hand.lostCount > 1)
        #expect(hand.holdsRepetitions == false)
    }

    @Test func `it is taken back if nothing was sent again before the originals came`() {
        var hand = SenderByHand(flying: 10)
        hand.acknowledge(0, echo: 0, blocks: [1..<4], at: 40)
        #expect(hand.phase == .repairing && hand.lostCount == 1)
        hand.acknowledge(4, echo: 0, at: 41)
        #expect(hand.phase == .open && hand.window >= 10)
    }

    @Test func `it is taken back when all that was sent again has come twice, and no sooner`() {
        var hand = Self.alarmed()
        // Stamps tell nothing here: as if an answer had been lost.
        hand.acknowledge(5, echo: 50, blocks: [0..<1], at: 60)
        #expect(hand.phase == .repairing && hand.window == 5)
        hand.acknowledge(5, echo: 50, blocks: [1..<2], at: 61)
        #expect(hand.phase == .open && hand.window >= 10)
    }

    @Test func `it is taken back even after its end`() {
        var hand = Self.alarmed()
        hand.acknowledge(10, echo: 50, at: 60)
        #expect(hand.phase == .open && hand.window < 10)
        hand.acknowledge(10, echo: 50, blocks: [0..<1], at: 61)
        #expect(hand.window < 10)
        hand.acknowledge(10, echo: 50, blocks: [1..<2], at: 62)
        #expect(hand.window == 10)
    }

    @Test func `what came twice beyond a hole counts, too`() {
        var hand = SenderByHand(flying: 10)
        hand.acknowledge(0, echo: 0, blocks: [4..<7], at: 40)
        for number in UInt64(0)..<4 { hand.repeatOne(number, at: 50) }
        hand.acknowledge(0, echo: 0, blocks: [3..<4, 3..<7], at: 60)
        hand.acknowledge(10, echo: 50, blocks: [2..<3], at: 62)
        hand.acknowledge(10, echo: 50, blocks: [1..<2], at: 63)
        #expect(hand.window < 10)
        hand.acknowledge(10, echo: 50, blocks: [0..<1], at: 64)
        #expect(hand.window == 10)
    }

    @Test func `what came twice was delivered twice`() {
        var hand = Self.alarmed()
        hand.acknowledge(10, echo: 50, blocks: [0..<1], at: 60)
        let delivered = hand.sender.scoreboard.delivered
        #expect(delivered == 11 * SenderByHand.segment)
    }

    @Test func `what an earlier one has sent again does not count when it comes twice`() {
        var hand = Self.alarmed()
        hand.acknowledge(10, echo: 50, at: 60)
        hand.leave(6, at: 100)
        hand.acknowledge(10, echo: 50, blocks: [12..<15], at: 145)
        hand.repeatOne(10, at: 150)
        hand.repeatOne(11, at: 150)
        hand.acknowledge(16, echo: 150, at: 190)
        let window = hand.window
        hand.acknowledge(16, echo: 150, blocks: [0..<1], at: 191)
        hand.acknowledge(16, echo: 150, blocks: [1..<2], at: 192)
        #expect(hand.window == window)
    }

    @Test func `what the network doubles is no sign of anything`() {
        var hand = SenderByHand(flying: 10)
        hand.acknowledge(1, echo: 0, blocks: [0..<1], at: 40)
        hand.acknowledge(1, echo: 0, blocks: [0..<1, 2..<5], at: 41)
        #expect(hand.phase == .repairing)
        hand.repeatOne(1, at: 50)
        // Two have come twice, and one was sent again.
        hand.acknowledge(5, echo: 50, blocks: [1..<2], at: 60)
        #expect(hand.phase == .repairing && hand.window == 4)
    }

    @Test func `what was never sent again does not count when it comes twice`() {
        var hand = Self.alarmed()
        hand.acknowledge(10, echo: 50, at: 60)
        hand.leave(3, at: 60)
        hand.acknowledge(10, echo: 50, blocks: [11..<12, 11..<13], at: 100)
        hand.acknowledge(10, echo: 50, blocks: [12..<13, 11..<13], at: 101)
        #expect(hand.phase == .open && hand.window < 10)
    }

    @Test func `what a probe repeats may be reported after the alarm, and is waited for`() {
        var hand = SenderByHand(flying: 10)
        hand.probe(at: 100)
        hand.acknowledge(0, echo: 0, blocks: [6..<10], at: 140)
        for number in UInt64(0)..<6 { hand.repeatOne(number, at: 141) }
        hand.acknowledge(10, echo: 141, at: 180)
        for number in UInt64(0)..<6 {
            hand.acknowledge(10, echo: 141, blocks: [number..<number + 1], at: 181 + number)
        }
        #expect(hand.window < 10)
        hand.acknowledge(10, echo: 141, blocks: [9..<10], at: 190)
        #expect(hand.window == 10)
    }

    @Test func `a probe that came twice has repaired nothing`() {
        for isTold in [false, true] {
            var hand = SenderByHand(flying: 10)
            hand.acknowledge(9, echo: 0, at: 40)
            let before = hand.window
            hand.probe(at: 200)
            hand.leave(1, at: 210)
            hand.acknowledge(11, echo: 200, blocks: isTold ? [9..<10] : [], at: 250)
            #expect((hand.window >= before) == isTold)
        }
    }
}
