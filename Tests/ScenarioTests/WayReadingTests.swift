import LinkModels
import Quantities
import Scenario
import Testing

/// What a direction of the link says of a shaper, and of the way behind the queue.
@Suite struct WayReadingTests {
    @Test(arguments: [
        ("limit: 30 kB", "30 kB"), ("latency: 100 ms", "17.5 kB"), ("", "24 kB"),
    ])
    func `a shaper arrives in the plan and in the sentences, with its queue`(
        words: String, queue: String
    ) throws {
        let scenario = try read("shaper: { rate: 100 kbit/s, burst: 16250 B, \(words) }")
        let bucket = TokenBucket.Options(
            rate: Bitrate(bitsPerSecond: 100_000), burst: ByteCount(16_250))
        let line = Bitrate(bitsPerSecond: 1_000_000)
        #expect(
            scenario.uplink.bottleneck.schedule == .shaped(Shaper(line: line, bucket: bucket)))
        #expect(
            scenario.sentences.first
                == "The uplink carries 100 kbit/s, in bursts of 16.25 kB at 1 Mbit/s, with 20 ms "
                + "of delay; its queue takes \(queue).")
    }

    @Test func `losses on the way and slots arrive in the plan and in the sentences`() throws {
        let scenario = try read(
            "loss-on-way: [1 %, { every: 50 }], slots: { min: 5 ms, max: 9 ms, packets: 4, "
                + "bytes: 64 kB }")
        #expect(scenario.uplink.filters.isEmpty)
        #expect(
            scenario.uplink.lossesOnWay
                == [
                    .independentLoss(Probability(percent: 1) ?? .never), .periodicLoss(period: 50),
                ])
        #expect(
            scenario.uplink.slots
                == Slots.Options(
                    shortest: .milliseconds(5), longest: .milliseconds(9), packets: 4,
                    bytes: ByteCount(64_000)))
        #expect(
            scenario.sentences.first
                == "The uplink carries 1 Mbit/s with 20 ms of delay; its queue takes 24 kB; behind "
                + "the queue, 1 % of the packets are lost; behind the queue, every packet number "
                + "50 is lost; packets arrive in bursts of at most 4 packets or 64 kB, 5 ms to "
                + "9 ms apart at least.")
    }

    @Test(
        arguments: [
            (
                "shaper: { rate: 1 Mbit/s, burst: 3 kB }", "a shaper is not possible here",
                "a constant rate of the link, above 1 Mbit/s"
            ),
            (
                "shaper: { rate: 1 kbit/s, burst: 3 kB, limit: 9 kB, latency: 1 s }",
                "the queue of the shaper has 2 limits",
                "one of “limit” or “latency” of the shaper, or the limit of “queue”"
            ),
            (
                "policer: { rate: 1 kbit/s, burst: 1499 B }", "a burst of 1.499 kB",
                "from 1.5 kB, the largest packet, to 1 GB"
            ),
            (
                "reorder: { chance: 1 %, by: 1 ms, correlation: 1 % }",
                "“correlation” without “gap”",
                "“gap” beside it, as in netem: { gap: 5, chance: 25 %, correlation: 50 %, "
                    + "by: 10 ms }"
            ),
            (
                "satellites: { every: 999 ms, outage: 1 ms, detour: 1 ms }",
                "satellites that take over every 999 ms, each after 1 ms",
                "turns of 1 s or more, longer than the outage"
            ),
            (
                "slots: { min: 5 ms, max: 4 ms }", "slots from 5 ms to 4 ms",
                "“min” above 0 s, and “max” not below it"
            ),
            (
                "reorder: { chance: 1 %, by: 1 ms }, slots: { min: 5 ms }",
                "slots keep the order of packets, and “reorder” does not", "one of them"
            ),
        ]) func `a mistake has its words and a remedy`(
            words: String, message: String, remedy: String
        )
    {
        let seen = ValidScenario.diagnostics(of: Self.text(words))
        #expect(seen.map(\.message) == [message])
        #expect(seen.first?.expected == remedy)
    }

    private func read(_ words: String) throws -> Scenario {
        try Scenario.read(text: Self.text(words), path: "x.yaml")
    }

    private static func text(_ words: String) -> String {
        ValidScenario.text(
            with: 7, replacedBy: "  uplink: { rate: 1 Mbit/s, delay: 20 ms, \(words) }")
    }
}
