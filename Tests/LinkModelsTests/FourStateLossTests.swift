import LinkModels
import Quantities
import Testing

@Suite struct FourStateLossTests {
    @Test func `mean loss and runs of losses are those of the balance between the states`() {
        let options = FourStateLoss.Options(
            p13: .percent(1), p31: .percent(20), p32: .percent(30), p23: .percent(40),
            p14: .percent(2))
        // By the balance: lost in a burst 0.01/0.2, passing in it 0.3/0.4 of that, alone 0.02.
        let (burst, alone) = (0.05, 0.02)
        let whole = 1 + burst + burst * 0.75 + alone
        let runs = LossRuns(.fourStateLoss(options), packets: 1_000_000)
        let expected = (burst + alone) / whole
        #expect(abs(runs.meanLoss - expected) < 0.03 * expected, "\(runs.meanLoss)")
        // A run ends by leaving the state that loses, by either way; one alone is one packet.
        let length = (burst + alone) / (burst * 0.5 + alone)
        #expect(abs(runs.meanLength - length) < 0.03 * length, "\(runs.meanLength)")
        let planned = LinkPlan.filtered([.fourStateLoss(options)]).meanLoss
        #expect(planned.description.hasPrefix("6.32"), "\(planned)")
    }

    @Test func `without the inner states it is the chain of Gilbert`() {
        let options = FourStateLoss.Options(
            p13: .percent(2), p31: .percent(25), p32: .never, p23: .always, p14: .never)
        let runs = LossRuns(.fourStateLoss(options), packets: 1_000_000)
        #expect(abs(runs.meanLoss - 2.0 / 27) < 0.004, "\(runs.meanLoss)")
        #expect(abs(runs.meanLength - 4) < 0.2, "\(runs.meanLength)")
    }

    @Test func `two ways out of a state are at most certain together`() {
        let chance = Probability.percent
        let tooMuch = FourStateLoss.Options(
            p13: chance(60), p31: chance(20), p32: chance(0), p23: chance(40), p14: chance(50))
        let deadEnd = FourStateLoss.Options(
            p13: chance(1), p31: chance(0), p32: chance(10), p23: chance(40), p14: chance(1))
        #expect(!tooMuch.isChain)
        #expect(!deadEnd.isChain)
    }
}
