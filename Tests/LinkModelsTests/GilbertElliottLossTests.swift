import LinkModels
import Quantities
import Testing

@Suite struct GilbertElliottLossTests {
    @Test(arguments: [(1.0, 25.0), (0.5, 50), (5, 5)])
    func `mean loss is p to p + r, and a burst lasts 1 to r packets`(p: Double, r: Double) {
        let plan = FilterPlan.burstLoss(.init(goodToBad: .percent(p), badToGood: .percent(r)))
        let runs = LossRuns(plan, packets: 1_000_000)
        #expect(abs(runs.meanLoss - p / (p + r)) < 0.05 * p / (p + r), "\(runs.meanLoss)")
        #expect(abs(runs.meanLength - 100 / r) < 0.05 * 100 / r, "\(runs.meanLength)")
    }

    @Test func `the loss in both states counts by the share of time spent in each`() {
        var options = GilbertElliottLoss.Options(goodToBad: .percent(1), badToGood: .percent(9))
        options.lossInGood = .percent(2)
        options.lossInBad = .percent(50)
        let mean = LossRuns(.burstLoss(options), packets: 1_000_000).meanLoss
        // Nine tenths of the time in good.
        #expect(abs(mean - (0.9 * 0.02 + 0.1 * 0.5)) < 0.003, "\(mean)")
        #expect(LinkPlan.filtered([.burstLoss(options)]).meanLoss.description == "6.8 %")
    }
}
