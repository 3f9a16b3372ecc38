import LinkModels
import Quantities
import Testing

/// Losses behind the queue: a lost packet takes its time on the link.
@Suite struct LossOnWayTests {
    static let models: [FilterPlan] = [
        .independentLoss(.percent(10)),
        .burstLoss(.init(goodToBad: .percent(2), badToGood: .percent(20))),
        .fourStateLoss(
            .init(
                p13: .percent(2), p31: .percent(20), p32: .percent(30), p23: .percent(40),
                p14: .percent(1))),
        .correlatedLoss(.init(chance: .percent(20), correlation: .percent(20))),
        .periodicLoss(period: 9),
    ]

    @Test(arguments: models) func `a model loses its share, and every packet takes its time`(
        model: FilterPlan
    ) {
        var plan = LinkPlan.filtered([])
        plan.lossesOnWay = [model]
        var link = LinkDirection(plan, seed: 7)
        let count: UInt64 = 200_000
        var (lost, late) = (0, 0)
        for number in 1...count {
            guard case .arrives(let arrival, let marks) = link.enqueue(1_000, at: .start) else {
                Issue.record("packet \(number) was dropped before the queue")
                return
            }
            if arrival.nanoseconds != 10_000_000 + number * 1_000_000 { late += 1 }
            if marks == .lostOnWay { lost += 1 }
        }
        #expect(late == 0)
        let share = plan.meanLoss.fraction
        #expect(abs(Double(lost) / Double(count) - share) < 0.07 * share, "\(lost)")
    }

    @Test func `a queue that decides later loses packets behind it as well, in their order`() {
        var plan = LinkPlan.filtered([])
        plan.lossesOnWay = [.listedLoss([1, 2])]
        plan.bottleneck.queue = .disciplined(.dropHead, limit: ByteCount(1_000_000))
        var link = LinkDirection(plan, seed: 7)
        for place in 0..<4 { _ = link.enqueue(1_000, place: Int32(place), at: .start) }
        var fates: [Bool] = []
        while let left = link.depart() { fates.append(left.marks == .lostOnWay) }
        #expect(fates == [false, true, true, false])
    }

    @Test func `the two packets of a pair are lost each by itself`() {
        var plan = LinkPlan.filtered([.duplication(.always)])
        plan.lossesOnWay = [.listedLoss([0])]
        var link = LinkDirection(plan, seed: 7)
        let first = link.enqueue(1_000, at: .start)
        guard case .arrives(_, let marks) = first else {
            Issue.record("\(first)")
            return
        }
        #expect(marks == [.duplicated, .lostOnWay])
        #expect(
            link.enqueueCopy(1_000, marks, at: .start)
                == .arrives(Instant(nanoseconds: 12_000_000)))
    }

    @Test func `a loss behind the queue draws from its own stream`() {
        let before = LinkPlan.filtered([Self.models[0]])
        var behind = LinkPlan.filtered([])
        behind.lossesOnWay = before.filters
        var first = LinkDirection(before, seed: 7)
        var second = LinkDirection(behind, seed: 7)
        let pairs = (0..<1_000).map { _ -> (Bool, Bool) in
            let isDropped = first.enqueue(1_000, at: .start) == .dropped(.lost)
            guard case .arrives(_, let marks) = second.enqueue(1_000, at: .start) else {
                return (isDropped, !isDropped)
            }
            return (isDropped, marks == .lostOnWay)
        }
        #expect(pairs.contains { $0.0 != $0.1 })
    }
}
