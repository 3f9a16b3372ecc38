import Testing

@testable import Simulation

@Suite struct RetransmissionTimerTests {
    private static let millisecond: UInt64 = 1_000_000

    @Test func `without a measurement the wait is one second`() {
        #expect(RetransmissionTimer().timeout == 1_000 * Self.millisecond)
    }

    @Test func `smoothing follows RFC 6298, with at least 200 ms for variation`() {
        var timer = RetransmissionTimer()
        timer.measure(400 * Self.millisecond, acknowledged: 2, next: 1)
        // 400 + 4 × 200
        #expect(timer.timeout == 1_200 * Self.millisecond)
        timer.measure(800 * Self.millisecond, acknowledged: 2, next: 1)
        // Variation 200 × ¾ + 400 × ¼ = 250, smoothed 400 × ⅞ + 800 × ⅛ = 450.
        #expect(timer.timeout == 1_450 * Self.millisecond)
        for _ in 0..<100 { timer.measure(80 * Self.millisecond, acknowledged: 2, next: 1) }
        #expect(timer.timeout / Self.millisecond == 280)
    }

    @Test
    func `a variation falls by a quarter each round trip, and a shorter way raises it little`() {
        var timer = RetransmissionTimer()
        timer.measure(400 * Self.millisecond, acknowledged: 0, next: 10)
        // Within a round trip, the largest deviation counts.
        for _ in 0..<9 { timer.measure(400 * Self.millisecond, acknowledged: 1, next: 10) }
        #expect(timer.timeout == 1_200 * Self.millisecond)
        // 800 − (800 − 800) / 4: the peak is that of the round trip that ends here.
        timer.measure(400 * Self.millisecond, acknowledged: 11, next: 20)
        #expect(timer.timeout == 1_200 * Self.millisecond)
        // 800 − (800 − 200) / 4
        timer.measure(400 * Self.millisecond, acknowledged: 21, next: 30)
        #expect(timer.timeout == 1_050 * Self.millisecond)

        var falling = RetransmissionTimer()
        falling.measure(800 * Self.millisecond, acknowledged: 0, next: 1)
        for _ in 0..<30 { falling.measure(800 * Self.millisecond, acknowledged: 2, next: 1) }
        let before = falling.timeout
        // The deviation is nearly 0: a fall by 700 ms raises it by 87 ms, a rise would by 700 ms.
        falling.measure(100 * Self.millisecond, acknowledged: 2, next: 10)
        #expect(falling.timeout <= before)
    }

    @Test
    func `the wait doubles with each expiry up to two minutes, and is short again after an answer`()
    {
        var timer = RetransmissionTimer()
        timer.measure(100 * Self.millisecond, acknowledged: 2, next: 1)
        var waits: [UInt64] = []
        for _ in 0..<12 {
            waits.append(timer.timeout / Self.millisecond)
            timer.expire()
        }
        let doubled: [UInt64] = [300, 600, 1_200, 2_400, 4_800, 9_600, 19_200, 38_400, 76_800]
        #expect(waits == doubled + [120_000, 120_000, 120_000])
        timer.measure(100 * Self.millisecond, acknowledged: 2, next: 1)
        #expect(timer.timeout / Self.millisecond == 300)
    }
}
