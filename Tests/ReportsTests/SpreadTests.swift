import Testing

@testable import Reports

@Suite struct SpreadTests {
    @Test func `percentiles lie between the two nearest samples, as NumPy has them`() throws {
        let spread = try #require(Spread([4, 1, 3, 2, 10]))
        let values = [
            spread.percentile5, spread.percentile25, spread.median, spread.percentile75,
            spread.percentile95,
        ]
        for (value, expected) in zip(values, [1.2, 2, 3, 4, 8.8]) {
            #expect(abs(value - expected) < 1e-12, "\(values)")
        }
    }

    @Test func `an even number of samples has its median in the middle of two`() {
        #expect(Spread([8, 1, 2, 3])?.median == 2.5)
    }

    @Test func `one sample is every percentile, and none has no spread`() {
        let spread = Spread([7])
        #expect(spread?.percentile5 == 7 && spread?.median == 7 && spread?.percentile95 == 7)
        #expect(Spread([]) == nil)
    }
}
