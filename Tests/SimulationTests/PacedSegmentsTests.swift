import Testing

@testable import Simulation

@Suite struct PacedSegmentsTests {
    /// 1500 bytes take a millisecond.
    private static let rate = FlowRate(1_500, in: 1_000_000)

    @Test func `after ten segments each waits for its time`() {
        var pacer = Pacer(isOn: true)
        var leftAt: [UInt64] = []
        var now: UInt64 = 0
        while leftAt.count < 14 {
            if pacer.mayLeave(at: now) {
                leftAt.append(now)
                pacer.left(1_500, at: now, rate: Self.rate)
            } else {
                now = pacer.deadline
                pacer.stopWaiting()
            }
        }
        let expected = Array(repeating: UInt64(0), count: 10) + [1, 2, 3, 4].map { $0 * 1_000_000 }
        #expect(leftAt == expected)
    }

    @Test func `after a pause half a segment's time is made up for, not more`() {
        var pacer = Pacer(isOn: true)
        for _ in 0..<10 { pacer.left(1_500, at: 0, rate: Self.rate) }
        pacer.left(1_500, at: 50_000_000, rate: Self.rate)
        #expect(pacer.departure == 50_500_000)
        pacer.left(1_500, at: 50_500_000, rate: Self.rate)
        #expect(pacer.departure == 51_500_000)
    }

    @Test func `without a rate nothing is held back`() {
        var pacer = Pacer(isOn: true)
        for _ in 0..<100 { pacer.left(1_500, at: 0, rate: .zero) }
        let mayLeave = pacer.mayLeave(at: 0)
        #expect(mayLeave)
        #expect(pacer.deadline == RetransmissionTimer.never)
    }
}
