import Testing

@testable import Runs

/// Figures as a person reads them.
@Suite struct FigureWordsTests {
    @Test(arguments: [
        (UInt64(6_863_763_200), "completionNanoseconds", "completion", "6.863763200 s"),
        (1_907_599, "goodputBitsPerSecond", "goodput", "1 907 599 bit/s"),
        (12, "sentAgainBytes", "sent again", "12 B"),
        (1_000, "droppedPackets", "dropped packets", "1 000"),
        (1_000_007, "durableChanges", "durable changes", "1 000 007"),
        (0, "completionNanoseconds", "completion", "0.000000000 s"),
    ])
    func `exact figures keep every digit`(
        value: UInt64, name: String, label: String, text: String
    ) {
        #expect(FigureWords.label(of: name) == label)
        #expect(FigureWords.exact(value, of: name) == text)
    }

    @Test(arguments: [
        (5_404_321.0, "dataPacketsPerUserSecond", "5.40 M"), (22_152_000, "peakBytes", "22.2 MB"),
        (1.1234, "wallSeconds", "1.12 s"), (999.6, "rate", "1.00 k"),
        (0.05, "wallSeconds", "0.0500 s"),
        (0, "rate", "0"), (100_000_000, "goodputBitsPerSecond", "100 Mbit/s"),
        (12.345, "x", "12.3"),
    ])
    func `measured figures have three digits that count`(
        value: Double, name: String, text: String
    ) {
        #expect(FigureWords.rounded(value, of: name) == text)
    }
}
