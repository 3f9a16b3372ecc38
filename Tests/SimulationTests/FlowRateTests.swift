import Testing

@testable import Simulation

@Suite struct FlowRateTests {
    @Test(arguments: [UInt64(125), 1_000, 12_500_000, 12_500_000_000])
    func `what passes in a second passes in a second`(bytes: UInt64) {
        let rate =
            bytes < 1 << 32
            ? FlowRate(bytes, in: 1_000_000_000) : FlowRate(bytes / 1_000, in: 1_000_000)
        let passed = rate.bytes(in: 1_000_000_000)
        #expect(passed <= bytes && passed >= bytes - bytes / 200 - 1)
        // The time for a segment, and back.
        let time = rate.time(for: 1_500)
        let exact = 1_500 * 1_000_000_000 / bytes
        #expect(time >= exact && time <= exact + exact / 200 + 1)
    }

    @Test func `hours at a terabit do not overflow`() {
        let rate = FlowRate(125_000, in: 1_000)
        #expect(rate.bytes(in: 10_000_000_000_000) == 1_250_000_000_000_000)
    }

    @Test func `rates are compared, scaled, and held apart`() {
        let slow = FlowRate(1, in: 8)
        let fast = FlowRate(1, in: 4)
        #expect(slow < fast)
        #expect(slow.multiplied(by: 512, dividedBy: 256) == fast)
        #expect(slow.distance(to: fast) == slow && fast.distance(to: slow) == slow)
        #expect(slow.mean(with: fast) == FlowRate(3, in: 16))
    }
}
