import Testing

@testable import Simulation

@Suite struct CubicTests {
    private static let segment: UInt64 = 1448

    @Test func `after a loss the window is back where it was when the curve says so`() {
        var controller = Cubic()
        Self.grow(&controller, to: 1_280)
        let before = controller.window
        controller.lossFound(flight: before)
        #expect(controller.window == before * 7 / 10)
        #expect(before == 1_280 * Self.segment)
        // K = ∛(384 / 0.4) s = 9.865 s.
        let back = 9_865
        var now: UInt64 = 1_000_000_000_000
        for _ in 0..<(back / 100) {
            Self.round(of: &controller, at: &now)
        }
        let gap = Double(before) / Double(controller.window)
        #expect(gap > 0.999 && gap < 1.002, "\(gap)")
        for _ in 0..<100 { Self.round(of: &controller, at: &now) }
        // Ten seconds on, 0.4 · 10³ segments, of which the window may lag a round behind.
        let gain = (controller.window - before) / Self.segment
        #expect((380...400).contains(gain), "\(gain)")
    }

    @Test func `a flow that loses again before it is back makes room`() {
        var controller = Cubic()
        Self.grow(&controller, to: 1_000)
        controller.lossFound(flight: 1_000 * Self.segment)
        controller.lossFound(flight: 800 * Self.segment)
        // The plateau is 0.85 · 800 = 680 segments, K = ∛((680 − 560) / 0.4) s = 6.69 s.
        var now: UInt64 = 1_000_000_000_000
        for _ in 0..<67 { Self.round(of: &controller, at: &now) }
        let segments = controller.window / Self.segment
        #expect((678...684).contains(segments), "\(segments)")
    }

    @Test func `a timeout leaves one segment and seven tenths as the threshold`() {
        var controller = Cubic()
        controller.timedOut(flight: 100 * Self.segment, remaining: 0, again: false)
        #expect(controller.window == Self.segment)
        #expect(controller.threshold == 70 * Self.segment)
        controller.timedOut(flight: Self.segment, remaining: 0, again: true)
        #expect(controller.threshold == 70 * Self.segment)
    }

    /// A slow start without delay.
    private static func grow(_ controller: inout Cubic, to segments: UInt64) {
        var now: UInt64 = 0
        while controller.window < segments * segment { round(of: &controller, at: &now) }
    }

    /// A window's worth is acknowledged, two segments at a time, over 100 ms.
    private static func round(of controller: inout Cubic, at now: inout UInt64) {
        let acknowledgements = max(controller.window / segment / 2, 1)
        for place in 0..<acknowledgements {
            acknowledge(&controller, at: now + 100_000_000 * place / acknowledgements)
        }
        now += 100_000_000
    }

    private static func acknowledge(_ controller: inout Cubic, at now: UInt64) {
        controller.acknowledged(
            2 * segment,
            .init(
                now: now, roundTrip: 100_000_000, smoothed: 100_000_000,
                unacknowledged: now, next: now + 100_000_000))
    }
}
