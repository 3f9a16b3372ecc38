import Quantities
import Testing

@Suite struct QuantityWordsTests {
    @Test(arguments: [
        (0, "0 ns"), (999, "999 ns"), (1_500, "1.5 µs"), (40_000_000, "40 ms"),
        (1_250_000_000, "1.25 s"), (90_000_000_000, "90 s"), (120_000_000_000, "2 min"),
        (-5_000_000, "-5 ms"), (7_200_000_000_000, "2 h"),
    ])
    func `a time span reads in the unit that fits`(nanoseconds: Int64, words: String) {
        #expect(TimeSpan(nanoseconds: nanoseconds).description == words)
    }

    @Test(arguments: [
        (512, "512 B"), (80_000_000, "80 MB"), (1_500_000_000, "1.5 GB"), (1_234_567, "1.234 MB"),
    ])
    func `a size reads in decimal units`(bytes: UInt64, words: String) {
        #expect(ByteCount(bytes).description == words)
    }

    @Test(arguments: [
        (2.0, "2 %"), (0.02, "0.02 %"), (100.0, "100 %"), (33.3, "33.3 %"), (0, "0 %"),
        (0.000_000_1, "0.0000001 %"), (0.000_012_34, "0.00001234 %"),
        (0.000_000_000_000_02, "0.0000000000000111 %"),
    ])
    func `a chance reads as the percentage it was made from`(percent: Double, words: String) {
        #expect(Probability(percent: percent)?.description == words)
    }

    @Test func `a chance outside 0 to 100 percent is refused`() {
        #expect(Probability(percent: -1) == nil)
        #expect(Probability(percent: 100.1) == nil)
    }
}
