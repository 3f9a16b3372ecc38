import Quantities

/// Everything that is measured, by name.
package enum BenchmarkCatalogue {
    package static let bulk: [(name: String, work: BulkCase)] = [
        ("bulk/no-loss", BulkCase()),
        ("bulk/loss-0.1", BulkCase(loss: percent(0.1))),
        ("bulk/loss-1", BulkCase(loss: percent(1))),
        ("flows/10", BulkCase(flowCount: 10)),
        ("flows/100", BulkCase(flowCount: 100)),
        ("flows/1000", BulkCase(flowCount: 1_000)),
        (
            "flows/1000-wide",
            BulkCase(
                rate: Bitrate(bitsPerSecond: 10_000_000_000), flowCount: 1_000, limit: .seconds(6))
        ),
        ("length/1GB", BulkCase(length: ByteCount(1_000_000_000), limit: .seconds(86_400))),
        ("length/10GB", BulkCase(length: ByteCount(10_000_000_000), limit: .seconds(86_400))),
        ("length/100GB", BulkCase(length: ByteCount(100_000_000_000), limit: .seconds(86_400))),
    ]

    private static func percent(_ value: Double) -> Probability {
        guard let chance = Probability(percent: value) else {
            preconditionFailure("\(value) is not a percentage")
        }
        return chance
    }
}
