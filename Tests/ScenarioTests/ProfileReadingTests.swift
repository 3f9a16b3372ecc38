import LinkModels
import Quantities
import Scenario
import Testing

@Suite struct ProfileReadingTests {
    @Test func `a profile stands for both directions`() throws {
        let scenario = try read("  profile: apple-lte", nil)
        #expect(scenario.uplink.bottleneck.rate == Bitrate(bitsPerSecond: 10_000_000))
        #expect(scenario.uplink.delay == .milliseconds(65))
        #expect(scenario.downlink.bottleneck.rate == Bitrate(bitsPerSecond: 50_000_000))
        // A round trip is 115 ms.
        #expect(scenario.downlink.bottleneck.queue == .dropTail(limit: ByteCount(718_750)))
    }

    @Test func `the keys of a direction override its profile, and nothing else of it`() throws {
        let scenario = try read(
            "  profile: apple-very-bad", "  uplink: { rate: 2 Mbit/s, loss: { every: 9 } }")
        #expect(scenario.uplink.bottleneck.rate == Bitrate(bitsPerSecond: 2_000_000))
        #expect(scenario.uplink.filters == [.periodicLoss(period: 9)])
        #expect(scenario.uplink.delay == .milliseconds(500))
        #expect(scenario.downlink.meanLoss == Probability(percent: 10))
    }

    @Test func `each direction may have a profile of its own`() throws {
        let scenario = try read(
            "  uplink: { profile: android-umts }", "  downlink: { profile: wpt-cable }")
        #expect(scenario.uplink.bottleneck.rate == Bitrate(bitsPerSecond: 128_000))
        #expect(scenario.uplink.filters == [.jitter(.uniform(.milliseconds(165)))])
        #expect(scenario.downlink.bottleneck.rate == Bitrate(bitsPerSecond: 5_000_000))
    }

    @Test func `stages come on top of a profile, and a key of its own still overrides it`() throws {
        let scenario = try read(
            "  profile: apple-very-bad",
            "  uplink: { jitter: 3 ms, stages: [loss: 5 %, loss: { every: 9 }] }\n"
                + "  downlink: { loss: 1 %, stages: [jitter: 2 ms, corrupt: 1 %] }")
        #expect(
            scenario.uplink.filters == [
                .independentLoss(percent(10)), .jitter(.uniform(.milliseconds(3))),
                .independentLoss(percent(5)), .periodicLoss(period: 9),
            ])
        #expect(
            scenario.downlink.filters == [
                .independentLoss(percent(1)), .jitter(.uniform(.milliseconds(2))),
                .corruption(percent(1)),
            ])
        #expect(scenario.downlink.delay == .milliseconds(500))
    }

    private func percent(_ percent: Double) -> Probability {
        Probability(percent: percent) ?? .never
    }

    private func read(_ first: String, _ second: String?) throws -> Scenario {
        let lines = ValidScenario.text.split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
        let text = lines[..<6] + [first] + (second.map { [$0] } ?? []) + lines[8...]
        return try Scenario.read(text: text.joined(separator: "\n"), path: "x.yaml")
    }
}
