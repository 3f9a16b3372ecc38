import Testing

@testable import Simulation

/// On a way back that reorders, a later acknowledgement may come first: what the earlier one says
/// of stretches beyond a hole is news all the same (Linux's `tcp_ack`, where it is old).
@Suite struct OvertakenAcknowledgementTests {
    @Test func `stretches told by an acknowledgement that was overtaken are heard`() {
        var hand = SenderByHand(flying: 10)
        hand.acknowledge(3, echo: 0, at: 41)
        #expect(hand.sender.scoreboard.sackedCount == 0)
        hand.acknowledge(2, echo: 0, blocks: [5..<8], at: 42)
        #expect(hand.sender.scoreboard.sackedCount == 3)
        #expect(hand.sender.unacknowledged == 1 + 3 * SenderByHand.segment)
    }

    @Test func `a loss that such a one shows is repaired, and the window is reduced once`() {
        var hand = SenderByHand(flying: 10)
        hand.acknowledge(1, echo: 0, at: 40)
        hand.leave(2, at: 41)
        hand.acknowledge(3, echo: 0, at: 50)
        #expect(hand.phase == .open)
        hand.acknowledge(2, echo: 0, blocks: [4..<8], at: 51)
        #expect(hand.phase == .repairing)
        #expect(hand.lostCount == 1)
        hand.repeatOne(3, at: 51)
    }

    @Test func `what came twice is heard of, and may prove that a recovery was for nothing`() {
        var hand = SenderByHand(flying: 10)
        hand.acknowledge(0, echo: 0, blocks: [2..<5], at: 40)
        hand.repeatOne(0, at: 50)
        hand.repeatOne(1, at: 50)
        // Stamps tell nothing here: as if an answer had been lost.
        hand.acknowledge(6, echo: 50, at: 60)
        #expect(hand.phase == .repairing)
        hand.acknowledge(5, echo: 50, blocks: [0..<1], at: 61)
        hand.acknowledge(5, echo: 50, blocks: [1..<2], at: 62)
        #expect(hand.phase == .open && hand.window >= 10)
    }

    @Test func `without stretches it says nothing that is not known`() {
        var hand = SenderByHand(flying: 10)
        hand.acknowledge(3, echo: 0, at: 41)
        let window = hand.window
        hand.acknowledge(2, echo: 0, at: 42)
        #expect(hand.inFlight == 7)
        #expect(hand.window == window)
        #expect(hand.phase == .open)
    }

    /// One that is late says nothing of a silence: a probe that has repaired something is answered
    /// once more by its duplicate, and by no other.
    @Test func `it is no answer to a probe`() {
        var hand = SenderByHand(flying: 5)
        hand.acknowledge(2, echo: 0, at: 40)
        hand.probe(at: 200)
        hand.acknowledge(5, echo: 0, at: 210)
        #expect(hand.sender.probe.awaitsRepetition)
        hand.acknowledge(2, echo: 0, blocks: [3..<4], at: 211)
        #expect(hand.sender.probe.awaitsRepetition)
        hand.acknowledge(5, echo: 0, blocks: [4..<5], at: 240)
        #expect(!hand.sender.probe.awaitsRepetition)
    }

    @Test func `what it says has arrived moves no window in a recovery`() {
        var hand = SenderByHand(flying: 20)
        hand.acknowledge(1, echo: 0, blocks: [2..<5], at: 40)
        #expect(hand.phase == .repairing)
        hand.repeatOne(1, at: 41)
        let allowed = hand.sender.window
        hand.acknowledge(0, echo: 0, blocks: [6..<8], at: 42)
        #expect(hand.sender.scoreboard.sackedCount == 5)
        #expect(hand.sender.window == allowed)
    }
}
