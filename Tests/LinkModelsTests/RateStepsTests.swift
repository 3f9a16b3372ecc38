import LinkModels
import Quantities
import Testing

@Suite struct RateStepsTests {
    /// A byte a microsecond, then a tenth of it, then nothing for a while.
    private static let steps: [RateSteps.Step] = [
        .init(from: .zero, rate: Bitrate(bitsPerSecond: 8_000_000)),
        .init(from: .milliseconds(10), rate: Bitrate(bitsPerSecond: 800_000)),
        .init(from: .milliseconds(20), rate: nil),
        .init(from: .milliseconds(50), rate: Bitrate(bitsPerSecond: 8_000_000)),
    ]

    @Test func `a packet's bits go at the rate of the moment, and wait while there is none`() throws
    {
        var link = LinkDirection(try plan(Self.steps), seed: 1)
        #expect(link.enqueue(1_000, at: .start) == arrives(microseconds: 1_000))
        // 500 bytes at the first rate, 500 at the second.
        let later = Instant(nanoseconds: 9_500_000)
        #expect(link.enqueue(1_000, at: later) == arrives(microseconds: 15_000))
        // 500 bytes before the pause, 1000 after it.
        #expect(link.enqueue(1_500, at: later) == arrives(microseconds: 51_000))
    }

    @Test func `steps with a period begin again`() throws {
        let duty = [Self.steps[0], RateSteps.Step(from: .milliseconds(4), rate: nil)]
        var link = LinkDirection(try plan(duty, period: .milliseconds(5)), seed: 1)
        // Four packets a period: packet n leaves after n full and n / 4 silent milliseconds.
        for number in 1...1_000 as ClosedRange<UInt64> {
            let silent = (number - 1) / 4
            #expect(
                link.enqueue(1_000, at: .start)
                    == arrives(microseconds: (number + silent) * 1_000))
        }
    }

    @Test func `an outage lies over the steps, and what holds after it is what held there`() throws
    {
        let steps = try #require(RateSteps(Self.steps))
        let interrupted = steps.interrupted(from: .milliseconds(5), to: .milliseconds(12))
        #expect(
            interrupted?.steps == [
                Self.steps[0], .init(from: .milliseconds(5), rate: nil),
                .init(from: .milliseconds(12), rate: Self.steps[1].rate), Self.steps[2],
                Self.steps[3],
            ])
    }

    @Test func `steps that do not rise, or leave packets for ever, are none`() {
        let steps = Self.steps
        #expect(RateSteps([]) == nil)
        #expect(RateSteps(Array(steps.dropFirst())) == nil)
        #expect(RateSteps([steps[0], steps[2], steps[1]]) == nil)
        #expect(RateSteps(Array(steps.dropLast())) == nil)
        #expect(RateSteps(Array(steps.dropLast()), period: .milliseconds(20)) == nil)
        #expect(RateSteps(Array(steps.dropLast()), period: .milliseconds(21)) != nil)
    }

    private func plan(_ steps: [RateSteps.Step], period: TimeSpan? = nil) throws -> LinkPlan {
        var plan = LinkPlan.filtered([])
        let schedule = RateSchedule.steps(try #require(RateSteps(steps, period: period)))
        plan.bottleneck = BottleneckPlan(
            schedule: schedule, queue: .dropTail(limit: ByteCount(10_000_000)))
        return plan
    }

    private func arrives(microseconds: UInt64) -> LinkDirection.Passage {
        .arrives(Instant(nanoseconds: (10_000 + microseconds) * 1_000))
    }
}
