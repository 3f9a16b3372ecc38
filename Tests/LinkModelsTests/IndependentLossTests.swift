import LinkModels
import Quantities
import Testing

@Suite struct IndependentLossTests {
    @Test(arguments: [0.1, 2, 30]) func `mean loss is what was asked for`(percent: Double) throws {
        let packets = 400_000
        let lost = try losses(percent: percent, packets: packets).count { $0 }
        let expected = Double(packets) * percent / 100
        // Five standard deviations of a binomial count.
        let tolerance = 5 * (expected * (1 - percent / 100)).squareRoot()
        #expect(abs(Double(lost) - expected) < tolerance, "\(lost) of \(packets)")
    }

    @Test func `a loss says nothing about the next packet`() throws {
        let outcomes = try losses(percent: 20, packets: 400_000)
        let pairs = zip(outcomes, outcomes.dropFirst())
        let afterLoss = pairs.filter { $0.0 }
        let share = Double(afterLoss.count { $0.1 }) / Double(afterLoss.count)
        #expect(abs(share - 0.2) < 0.01, "\(share) after a loss")
    }

    @Test func `two losses of a link draw from two streams, and the mean is that of both`() throws {
        let half = try #require(Probability(percent: 50))
        let plan = LinkPlan(
            name: "uplink", filters: [.independentLoss(half), .independentLoss(half)],
            delay: .zero,
            bottleneck: BottleneckPlan(
                rate: Bitrate(bitsPerSecond: 1_000_000_000),
                queue: .dropTail(limit: ByteCount(1_000_000_000))))
        #expect(plan.meanLoss == Probability(percent: 75))
        var link = LinkDirection(plan, seed: 7)
        let lost = (0..<100_000).count { _ in link.enqueue(100, at: .start) == .dropped(.lost) }
        // From one stream, drawn twice, it would be the same mean; from two equal ones half.
        #expect((74_000...76_000).contains(lost), "\(lost)")
    }

    private func losses(percent: Double, packets: Int) throws -> [Bool] {
        let chance = try #require(Probability(percent: percent))
        return LossRuns(.independentLoss(chance), packets: packets).isLost
    }
}
