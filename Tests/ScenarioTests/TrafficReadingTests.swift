import LinkModels
import Quantities
import RunPlan
import Scenario
import Testing

/// What others send over the links, from the file to the plan and to the sentences.
@Suite struct TrafficReadingTests {
    @Test func `others arrive in the plan, each in the direction in which they send`() throws {
        let scenario = try read(
            "cross-traffic: { rate: 2 Mbit/s, packets: 200 B, from: 1 s, until: 9 s }, "
                + "competing: [{ flows: 2 }, { flows: 1, controller: newreno, from: 10 s, "
                + "bytes: 5 MB }]",
            "cross-traffic: [{ rate: 1 Mbit/s, on: 2 s, off: 3 s }, "
                + "{ rate: 1 Mbit/s, on: 2 s, off: 3 s, periods: exponential }]")
        let rate = Bitrate(bitsPerSecond: 1_000_000)
        let expected = CrossTraffic(
            streams: [
                .init(
                    .uplink,
                    .init(
                        rate: Bitrate(bitsPerSecond: 2_000_000), packetSize: ByteCount(200),
                        from: .seconds(1), until: .seconds(9))),
                .init(
                    .downlink, .init(rate: rate, bursts: .init(on: .seconds(2), off: .seconds(3)))),
                .init(
                    .downlink,
                    .init(
                        rate: rate,
                        bursts: .init(on: .seconds(2), off: .seconds(3), lengths: .exponential))),
            ],
            flows: [
                .init(.uplink, count: 2),
                .init(
                    .uplink, count: 1, controller: .newReno, from: .seconds(10),
                    length: ByteCount(5_000_000)),
            ])
        #expect(scenario.crossTraffic == expected)
        #expect(scenario.plan().crossTraffic == expected)
        #expect(scenario.sentences.dropFirst(2).prefix(5) == Self.sentences[...])
    }

    private static let sentences = [
        "Others send on the uplink: 2 Mbit/s in packets of 200 B, from 1 s to 9 s.",
        "Others send on the downlink: 1 Mbit/s in packets of 1.5 kB, 2 s on and 3 s off.",
        "Others send on the downlink: 1 Mbit/s in packets of 1.5 kB, about 2 s on and about 3 s "
            + "off.",
        "Others compete on the uplink, flows: 2, each TCP with cubic, as much as it gets through.",
        "Others compete on the uplink, flows: 1, each TCP with newreno, 5 MB, from 10 s.",
    ]

    private func read(_ up: String, _ down: String) throws -> Scenario {
        let uplink = "  uplink: { rate: 1 Mbit/s, delay: 20 ms, \(up) }\n"
        let downlink = "  downlink: { rate: 1 Mbit/s, delay: 20 ms, \(down) }"
        let lines = ValidScenario.text.split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
        let text = lines[..<6] + [uplink + downlink] + lines[8...]
        return try Scenario.read(text: text.joined(separator: "\n"), path: "x.yaml")
    }
}
