import LinkModels
import Quantities
import Testing

@Suite struct StageIndependenceTests {
    static let others: [FilterPlan] = [
        .burstLoss(.init(goodToBad: .percent(1), badToGood: .percent(20))),
        .fourStateLoss(
            .init(
                p13: .percent(1), p31: .percent(20), p32: .percent(30), p23: .percent(40),
                p14: .percent(2))),
        .periodicLoss(period: 7), .listedLoss([5, 6]), .listedDataLoss([5, 6]),
        .correlatedLoss(.init(chance: .percent(10), correlation: .percent(25))),
        .duplication(.percent(5)), .corruption(.percent(5)),
        .sizeLimit(SizeLimit(ByteCount(1_000))),
        .jitter(.uniform(.milliseconds(5))),
        .blackHole(.init(from: .start, until: .start)),
        .reordering(.init(chance: .percent(5), hold: .milliseconds(5))),
        .gapReordering(
            .init(gap: 5, chance: .percent(5), correlation: .never, lead: .milliseconds(5))),
        .satelliteHandOver(
            .init(every: .seconds(15), outage: .zero, longestDetour: .milliseconds(5))),
        .policer(.init(rate: Bitrate(bitsPerSecond: 8_000), burst: ByteCount(90_000))),
    ]

    @Test(arguments: others)
    func `a stage that is added behind another leaves the other's draws as they were`(
        added: FilterPlan
    ) {
        #expect(lost(by: [.independentLoss(.percent(10)), added]).isSuperset(of: alone))
    }

    @Test(
        arguments: others.filter {
            ["duplicate", "corrupt", "jitter", "reorder", "black-hole"].contains($0.kind)
        })
    func `a stage that drops nothing may stand before another as well`(added: FilterPlan) {
        #expect(lost(by: [added, .independentLoss(.percent(10))]) == alone)
    }

    @Test func `two of a kind draw apart, and the first as if it were alone`() {
        let twice = [FilterPlan.independentLoss(.percent(10)), .independentLoss(.percent(10))]
        let both = lost(by: twice)
        #expect(both.isSuperset(of: alone))
        // 1 − 0.9², not 10 % as with the same draws.
        #expect((1_800...2_000).contains(both.count), "\(both.count)")
        // A stage of another kind between them changes neither.
        #expect(lost(by: [twice[0], .corruption(.percent(5)), twice[1]]) == both)
    }

    private var alone: Set<Int> { lost(by: [.independentLoss(.percent(10))]) }

    private func lost(by filters: [FilterPlan]) -> Set<Int> {
        var link = LinkDirection(.filtered(filters), seed: 7)
        return Set(
            (0..<10_000).filter {
                if case .dropped = link.enqueue(1_500 - $0 % 2 * 1_000, at: .start) {
                    true
                } else {
                    false
                }
            })
    }
}
