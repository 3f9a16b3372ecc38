import Testing

@testable import Simulation

@Suite struct SpuriousTimeoutTests {
    @Test func `a timeout that the original's answer belies is undone`() {
        var hand = SenderByHand(flying: 10)
        hand.timeOut(at: 900)
        #expect(hand.window == 1)
        hand.repeatOne(0, at: 900)
        hand.acknowledge(2, echo: 0, at: 950)
        #expect(hand.window >= 10)
        #expect(hand.lostCount == 0)
        #expect(hand.inFlight == 8)
    }

    @Test func `a timeout that the repetition's answer confirms stands`() {
        var hand = SenderByHand(flying: 10)
        hand.timeOut(at: 900)
        hand.repeatOne(0, at: 900)
        hand.acknowledge(1, echo: 900, at: 950)
        #expect(hand.window == 2)
        #expect(hand.lostCount == 9)
    }

    @Test func `a timeout whose repetition came twice is undone, whatever its answer's stamp`() {
        var hand = SenderByHand(flying: 10)
        hand.timeOut(at: 900)
        hand.repeatOne(0, at: 900)
        hand.acknowledge(10, echo: 900, blocks: [0..<1], at: 950)
        #expect(hand.window >= 10)
        #expect(hand.phase == .open)
    }

    @Test func `a second timeout after some progress goes back to after the first only`() {
        var hand = SenderByHand(flying: 10)
        hand.timeOut(at: 900)
        hand.repeatOne(0, at: 900)
        hand.acknowledge(1, echo: 900, at: 950)
        hand.timeOut(at: 2_000)
        #expect(hand.window == 1)
        hand.repeatOne(1, at: 2_000)
        hand.acknowledge(1, echo: 2_000, blocks: [0..<1], at: 2_040)
        hand.acknowledge(10, echo: 2_000, blocks: [1..<2], at: 2_050)
        #expect(hand.window < 10 && hand.phase == .open)
    }
}
