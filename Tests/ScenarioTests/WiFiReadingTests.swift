import LinkModels
import Quantities
import Scenario
import Testing

@Suite struct WiFiReadingTests {
    @Test func `a station's keys arrive in the plan and in the sentences`() throws {
        let text = Self.text(
            "phy: [65 Mbit/s, 130 Mbit/s], stations: 3, packets: 16, bytes: 30 kB, "
                + "adapts: { every: 50 ms, chance: 20 % }")
        let scenario = try Scenario.read(text: text, path: "x.yaml")
        let chance = Probability(percent: 20) ?? .never
        #expect(
            scenario.uplink.bottleneck.schedule
                == .wifi(
                    .init(
                        rates: [65, 130].map { Bitrate(bitsPerSecond: $0 * 1_000_000) },
                        stations: 3, packets: 16, bytes: ByteCount(30_000),
                        adaptation: .init(every: .milliseconds(50), chance: chance))))
        #expect(
            scenario.sentences.first?.hasPrefix(
                "The uplink carries 65 Mbit/s to 130 Mbit/s over Wi-Fi, with 2 others that always "
                    + "send and up to 16 packets at once, with 20 ms of delay") == true,
            "\(scenario.sentences.first ?? "")")
    }

    @Test func `the profile of Wi-Fi has its air time, and a rate beside it replaces that`() throws
    {
        let network = ValidScenario.text(
            with: 7, replacedBy: "  uplink: { profile: wifi-ac }")
        let scenario = try Scenario.read(text: network, path: "x.yaml")
        guard case .wifi(let options)? = scenario.uplink.bottleneck.schedule else {
            Issue.record("\(scenario.uplink.bottleneck)")
            return
        }
        #expect(options.peak == scenario.uplink.bottleneck.rate && options.rates.count == 5)
        let other = ValidScenario.text(
            with: 7, replacedBy: "  uplink: { profile: wifi-ac, rate: 10 Mbit/s }")
        #expect(
            try Scenario.read(text: other, path: "x.yaml").uplink.bottleneck.schedule == nil)
    }

    @Test(
        arguments: [
            ("phy: [2 Mbit/s, 1 Mbit/s]", "these rates do not rise"),
            ("phy: 1 Mbit/s, stations: 101", "101 stations"),
            ("phy: 1 Mbit/s, bytes: 1 kB", "an aggregate of 1 kB"),
            (
                "phy: 1 Mbit/s, adapts: { every: 1 us, chance: 1 % }", "a move every 1 µs"
            ),
        ]) func `a mistake has its words`(words: String, message: String)
    {
        let seen = ValidScenario.diagnostics(of: Self.text(words))
        #expect(seen.first?.message == message)
    }

    private static func text(_ words: String) -> String {
        ValidScenario.text(
            with: 7,
            replacedBy: "  uplink: { rate: { wifi: { \(words) } }, delay: 20 ms, queue: 50 kB }")
    }
}
