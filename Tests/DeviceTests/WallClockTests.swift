import Device
import Quantities
import Testing

@Suite struct WallClockTests {
    /// Noon of 1 January 2026, UTC.
    private static let noon: UInt64 = 1_767_268_800_000_000_000

    @Test func `it shows noon of the first day of 2026 when a run begins, and goes with it`() {
        let bench = PhoneBench(.iOS(17))
        #expect(bench.device.wallNanoseconds(at: .start) == Self.noon)
        #expect(
            bench.device.wallNanoseconds(at: .start + .milliseconds(1_500))
                == Self.noon + 1_500_000_000)
    }

    @Test func `jumps add up`() {
        var bench = PhoneBench(.iOS(17))
        bench.happens(.clockJumps(.seconds(3_600), .timeZone), at: 1)
        bench.happens(.clockJumps(.seconds(-60), .network), at: 2)
        #expect(
            bench.device.wallNanoseconds(at: .start) == Self.noon + 3_540_000_000_000)
    }

    @Test func `it does not go back beyond 1970`() {
        var bench = PhoneBench(.iOS(17))
        bench.happens(.clockJumps(.seconds(-2_000_000_000), .user), at: 1)
        #expect(bench.device.wallNanoseconds(at: .start) == 0)
    }
}
