import LinkModels
import Quantities
import Testing

@Suite struct CorrelatedLossTests {
    @Test(arguments: [(10.0, 25.0, 1.75), (30, 50, 13), (10, 0, 10)])
    func `the mean is that of netem, not that of its command`(
        chance: Double, correlation: Double, known: Double
    ) {
        let plan = FilterPlan.correlatedLoss(
            .init(chance: .percent(chance), correlation: .percent(correlation)))
        let seen = 100 * LossRuns(plan, packets: 2_000_000).meanLoss
        let worked = LinkPlan.filtered([plan]).meanLoss
        let percent = 100 * Double(worked.threshold) / 0x1p53
        #expect(abs(seen - percent) < 0.05 * percent, "\(seen) seen, \(percent) worked out")
        #expect(abs(percent - known) < 0.15 * known, "\(percent)")
    }

    @Test func `a loss makes the next one likelier`() {
        let plan = FilterPlan.correlatedLoss(.init(chance: .percent(10), correlation: .percent(25)))
        let runs = LossRuns(plan, packets: 1_000_000)
        #expect(runs.meanLength > 1.05 / (1 - runs.meanLoss), "\(runs.meanLength)")
    }
}
