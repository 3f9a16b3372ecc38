import Testing

@testable import Simulation

/// RFC 8985 §6.2, step 4: how long late arrivals are waited for.
@Suite struct ReorderingPatienceTests {
    private static let millisecond: UInt64 = 1_000_000

    @Test func `it grows by a quarter round trip for each round in which something came twice`() {
        var detection = Self.reordered()
        #expect(Self.window(of: &detection) == 10)
        detection.duplicateTold(acknowledged: 100, next: 200)
        #expect(Self.window(of: &detection) == 20)
        detection.duplicateTold(acknowledged: 199, next: 300)
        #expect(Self.window(of: &detection) == 20)
        detection.duplicateTold(acknowledged: 200, next: 300)
        #expect(Self.window(of: &detection) == 30)
    }

    @Test func `it is at most a smoothed round trip`() {
        var detection = Self.reordered()
        for round in UInt64(1)...9 {
            detection.duplicateTold(acknowledged: round, next: round + 1)
        }
        #expect(Self.window(of: &detection) == 50)
    }

    @Test func `sixteen recoveries that were needed make it what it was`() {
        var detection = Self.reordered()
        detection.duplicateTold(acknowledged: 1, next: 2)
        for _ in 0..<15 { detection.recoveryEnded() }
        #expect(Self.window(of: &detection) == 20)
        detection.recoveryRefuted()
        detection.recoveryEnded()
        #expect(Self.window(of: &detection) == 20)
        detection.recoveryEnded()
        #expect(Self.window(of: &detection) == 10)
    }

    @Test func `it does not grow before anything was overtaken`() {
        var detection = Self.measured()
        detection.duplicateTold(acknowledged: 1, next: 2)
        #expect(Self.window(of: &detection) == 10)
    }

    @Test(arguments: [UInt64(2), 3])
    func `a timeout behind three that have come forgets what was overtaken`(count: UInt64) {
        var hand = SenderByHand(flying: 10)
        hand.sender.scoreboard.detection.reorderingShown()
        // Too soon to take anything for lost.
        hand.acknowledge(0, echo: 0, blocks: [5..<5 + count], at: 41)
        #expect(hand.phase == .open)
        hand.timeOut(at: 900)
        let isForgotten = !hand.sender.scoreboard.detection.hasSeenReordering
        #expect(isForgotten == (count == 3))
    }

    @Test(arguments: [[], [UInt64(9)..<10]])
    func `it does not grow when a probe comes twice`(twice: [Range<UInt64>]) {
        var hand = SenderByHand(flying: 10)
        hand.sender.scoreboard.detection.reorderingShown()
        hand.probe(at: 100)
        hand.acknowledge(10, echo: 0, blocks: twice, at: 140)
        #expect(Self.window(of: &hand.sender.scoreboard.detection) == 10)
    }

    @Test func `it grows when what was taken for lost comes twice`() {
        var hand = SenderByHand(flying: 10)
        hand.acknowledge(0, echo: 0, blocks: [1..<4], at: 40)
        hand.repeatOne(0, at: 50)
        hand.sender.scoreboard.detection.reorderingShown()
        hand.acknowledge(10, echo: 50, blocks: [0..<1], at: 90)
        #expect(Self.window(of: &hand.sender.scoreboard.detection) == 20)
    }

    @Test func `every recovery that was needed counts`() {
        var hand = SenderByHand(flying: 10)
        hand.sender.scoreboard.detection.reorderingShown()
        hand.sender.scoreboard.detection.duplicateTold(acknowledged: 1, next: 2)
        var first: UInt64 = 0
        for round in UInt64(1)...16 {
            #expect(Self.window(of: &hand.sender.scoreboard.detection) == 20)
            let now = 1_000 * round
            hand.acknowledge(first, echo: 0, blocks: [first + 1..<first + 10], at: now)
            hand.sender.reorderingTimedOut(at: (now + 500) * Self.millisecond)
            hand.repeatOne(first, at: now + 550)
            hand.acknowledge(first + 10, echo: now + 550, at: now + 590)
            first += 10
            hand.leave(10, at: now + 600)
        }
        #expect(Self.window(of: &hand.sender.scoreboard.detection) == 10)
    }

    /// The shortest round trip is 40 ms.
    private static func measured() -> LossDetection {
        var detection = LossDetection()
        detection.measure(40 * millisecond)
        return detection
    }

    private static func reordered() -> LossDetection {
        var detection = measured()
        detection.reorderingShown()
        return detection
    }

    /// In milliseconds: what a segment is given beyond a round trip, if the smoothed one is 50 ms.
    private static func window(of detection: inout LossDetection) -> UInt64? {
        var copy = detection
        let later: UInt64 = 1 << 40
        copy.note(
            Scoreboard.Segment(start: 1 << 40, sentAt: later, payload: 1, hasFin: false),
            at: later + 60 * millisecond)
        copy.open(sackedCount: 0, smoothed: 50 * millisecond, isRecovering: false)
        let earlier = Scoreboard.Segment(start: 1, sentAt: later - 1, payload: 1, hasFin: false)
        return (UInt64(0)...200).first { window in
            copy.hadTime(earlier, until: later - 1 + (60 + window) * millisecond)
        }
    }
}
