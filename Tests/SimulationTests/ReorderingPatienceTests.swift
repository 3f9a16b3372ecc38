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

    @Test func `a timeout behind three that have come forgets what was overtaken`() {
        var detection = Self.reordered()
        detection.timedOutQuietly(sackedCount: 2)
        #expect(detection.hasSeenReordering)
        detection.timedOutQuietly(sackedCount: 3)
        #expect(!detection.hasSeenReordering)
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

    /// In milliseconds: what a segment is given beyond a round trip of 60 ms, the smoothed one
    /// being 50 ms.
    private static func window(of detection: inout LossDetection) -> UInt64? {
        var copy = detection
        copy.note(
            Scoreboard.Segment(start: 2, sentAt: 1, payload: 1, hasFin: false),
            at: 1 + 60 * millisecond)
        copy.open(sackedCount: 0, smoothed: 50 * millisecond, isRecovering: false)
        let earlier = Scoreboard.Segment(start: 1, sentAt: 0, payload: 1, hasFin: false)
        return (UInt64(0)...200).first { window in
            copy.hadTime(earlier, until: (60 + window) * millisecond)
        }
    }
}
