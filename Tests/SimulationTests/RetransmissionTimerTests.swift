import Testing

@testable import Simulation

@Suite struct RetransmissionTimerTests {
    private static let millisecond: UInt64 = 1_000_000

    @Test func `without a measurement the wait is one second`() {
        #expect(RetransmissionTimer().timeout == 1_000 * Self.millisecond)
    }

    @Test func `smoothing follows RFC 6298, with at least 200 ms for variation`() {
        var timer = RetransmissionTimer()
        timer.measure(400 * Self.millisecond)
        // 400 + 4 × 200
        #expect(timer.timeout == 1_200 * Self.millisecond)
        timer.measure(800 * Self.millisecond)
        // Variation 200 × ¾ + 400 × ¼ = 250, smoothed 400 × ⅞ + 800 × ⅛ = 450.
        #expect(timer.timeout == 1_450 * Self.millisecond)
        for _ in 0..<100 { timer.measure(80 * Self.millisecond) }
        #expect(timer.timeout / Self.millisecond == 280)
    }

    @Test
    func `the wait doubles with each expiry up to two minutes, and is short again after an answer`()
    {
        var timer = RetransmissionTimer()
        timer.measure(100 * Self.millisecond)
        var waits: [UInt64] = []
        for _ in 0..<12 {
            waits.append(timer.timeout / Self.millisecond)
            timer.expire()
        }
        let doubled: [UInt64] = [300, 600, 1_200, 2_400, 4_800, 9_600, 19_200, 38_400, 76_800]
        #expect(waits == doubled + [120_000, 120_000, 120_000])
        timer.measure(100 * Self.millisecond)
        #expect(timer.timeout / Self.millisecond == 300)
    }
}
