import LinkModels
import Quantities
import Testing

/// What a direction carries in the long run.
@Suite struct SustainedRateTests {
    private static let fast = Bitrate(bitsPerSecond: 100_000_000)

    private static func plan(
        _ bottleneck: BottleneckPlan, losing percent: Double = 0
    ) -> LinkPlan {
        let filters = Probability(percent: percent).map { [FilterPlan.independentLoss($0)] } ?? []
        return LinkPlan(
            name: "uplink", filters: percent == 0 ? [] : filters, delay: .milliseconds(20),
            bottleneck: bottleneck)
    }

    private static func steps(_ rates: [UInt64?], every period: Int64?) throws -> BottleneckPlan {
        let steps = rates.enumerated().map { place, rate in
            RateSteps.Step(
                from: .seconds(Int64(place)), rate: rate.map { Bitrate(bitsPerSecond: $0) })
        }
        let schedule = try #require(RateSteps(steps, period: period.map { .seconds($0) }))
        return BottleneckPlan(schedule: .steps(schedule), queue: .dropTail(limit: ByteCount(9_000)))
    }

    @Test func `without losses it is the rate`() {
        let plan = Self.plan(
            BottleneckPlan(rate: Self.fast, queue: .dropTail(limit: ByteCount(9_000))))
        #expect(plan.sustainedRate(over: .milliseconds(40)) == Self.fast)
    }

    @Test func `a radio that sleeps carries its mean, and a rate that changes for good its last`()
        throws
    {
        let asleep = Self.plan(try Self.steps([8_000_000, nil], every: 4))
        #expect(asleep.sustainedRate(over: .zero) == Bitrate(bitsPerSecond: 2_000_000))
        let slower = Self.plan(try Self.steps([8_000_000, nil, 1_000_000], every: nil))
        #expect(slower.sustainedRate(over: .zero) == Bitrate(bitsPerSecond: 1_000_000))
    }

    @Test func `losses are TCP's limit, and hurt more on a long way`() {
        let plan = Self.plan(
            BottleneckPlan(rate: Self.fast, queue: .dropTail(limit: ByteCount(9_000))), losing: 1)
        // 1.22 segments of 1448 bytes over the root of a hundredth, each 100 ms.
        let rate = plan.sustainedRate(over: .milliseconds(100)).bitsPerSecond
        #expect((1_400_000...1_420_000).contains(rate))
        let far = plan.sustainedRate(over: .milliseconds(200)).bitsPerSecond
        #expect((700_000...710_000).contains(far))
    }
}
