import Quantities
import Testing

@testable import Live

@Suite struct PacerTests {
    private static let rates: [UInt64] = [1_000, 64_000, 10_000_000, 1_000_000_000, 40_000_000_000]

    @Test(arguments: rates)
    func `over seconds exactly the rate goes out, however it is asked`(rate: UInt64) {
        let rate = Bitrate(bitsPerSecond: rate)
        var pacer = Pacer(rate: rate, at: .start)
        var now = Instant.start
        var sent: UInt64 = 0
        let end = Instant.start + .seconds(10)
        while now < end {
            let count = pacer.allowance(at: now)
            pacer.spend(count, at: now)
            sent += UInt64(count)
            now = max(pacer.nextAllowance(at: now), now + .microseconds(1))
        }
        let due = rate.bitsPerSecond * 10 / 8
        #expect(sent <= due)
        #expect(Double(sent) > 0.99 * Double(due) - 1)
    }

    @Test func `a late wake-up is made good, a long rest is not`() {
        var pacer = Pacer(rate: Bitrate(bitsPerSecond: 8_000_000), at: .start)
        #expect(pacer.allowance(at: .start + .milliseconds(4)) == 0)
        #expect(pacer.allowance(at: .start + .milliseconds(20)) == 20_000)
        #expect(pacer.allowance(at: .start + .seconds(60)) == 50_000)
        pacer.spend(50_000, at: .start + .seconds(60))
        #expect(pacer.allowance(at: .start + .seconds(60)) == 0)
    }
}
