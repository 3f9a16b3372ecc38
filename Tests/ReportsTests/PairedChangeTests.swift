import Quantities
import Testing

@testable import Reports

@Suite struct PairedChangeTests {
    private static func change(
        _ pairs: [(before: Double, after: Double)], stream: String = "test"
    ) throws -> PairedChange {
        try #require(PairedChange(pairs, stream: stream))
    }

    @Test func `the change of one pair is exact`() throws {
        let change = try Self.change([(200, 210)])
        #expect(change.isRelative && change.pairs == 1)
        #expect(change.median == 0.05 && change.low == 0.05 && change.high == 0.05)
    }

    @Test func `a figure that was 0 changes by a difference`() throws {
        let change = try Self.change([(0, 300), (100, 300)])
        #expect(!change.isRelative && change.median == 250)
        #expect(PairedChange([], stream: "test") == nil)
    }

    /// By the binomial distribution, 3.0 % of all resampled medians of nine values are at most the
    /// second, and 0.1 % at most the first.
    @Test func `the interval of nine changes ends at the second or third value on either side`()
        throws
    {
        let pairs = (1...9).map { (before: 100.0, after: 100 + Double($0)) }
        let change = try Self.change(pairs)
        #expect(change.median == 0.05)
        #expect([0.02, 0.03].contains(change.low), "\(change)")
        #expect([0.07, 0.08].contains(change.high), "\(change)")
    }

    @Test func `the interval covers the true median about as often as it says`() throws {
        var random = RandomStream(seed: 7, name: "samples")
        var covered = 0
        for trial in 0..<400 {
            // Changes are uniform between -10 % and 30 %, so their median is 10 %.
            let pairs = (0..<25).map { _ in
                (before: 1_000.0, after: 900 + Double(random.below(400_001)) / 1_000)
            }
            let change = try Self.change(pairs, stream: "\(trial)")
            if change.low <= 0.1, change.high >= 0.1 { covered += 1 }
        }
        #expect((360...396).contains(covered), "\(covered) of 400")
    }

    @Test func `the same runs have the same interval each time`() throws {
        let pairs = (1...30).map { (before: 50.0, after: 50 + Double($0 * $0 % 17)) }
        #expect(try Self.change(pairs) == Self.change(pairs))
    }
}
