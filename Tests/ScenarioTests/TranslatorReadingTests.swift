import Quantities
import RunPlan
import Scenario
import Testing

/// The key `nat` of a way into the network.
@Suite struct TranslatorReadingTests {
    private static func text(_ links: String) -> String {
        ValidScenario.text.replacing(
            """
              uplink: { rate: 10 Mbit/s, delay: 20 ms, queue: 50 kB, loss: 2 % }
              downlink: { rate: 10 Mbit/s, delay: 20 ms }
            """, with: links)
    }

    private static func read(_ links: String) throws -> Scenario {
        try Scenario.read(text: text(links), path: "x.yaml")
    }

    @Test func `the only way into the network may have one`() throws {
        let scenario = try Self.read("  profile: apple-lte\n  nat: { forgets-after: 30 s }")
        #expect(
            scenario.interfaces.map(\.translator)
                == [TranslatorPlan(forgetsAfter: .seconds(30), resets: false)])
        #expect(
            scenario.sentences.contains(
                "A translator of addresses on the way forgets a connection after 30 s of silence, "
                    + "and tells nobody."))
        #expect(scenario.network == nil)
    }

    @Test func `each interface has its own`() throws {
        let scenario = try Self.read(
            """
              wifi: { profile: apple-wifi }
              cellular: { profile: apple-lte, nat: { forgets-after: 2 min, resets: on } }
            """)
        #expect(
            scenario.interfaces.map(\.translator)
                == [nil, TranslatorPlan(forgetsAfter: .seconds(120), resets: true)])
        #expect(
            scenario.sentences.contains(
                "A translator of addresses on the way of cellular forgets a connection after "
                    + "2 min of silence, and resets who goes on."))
    }

    @Test func `it may count only payload`() throws {
        for (words, counts) in [("payload", true), ("all", false)] {
            let scenario = try Self.read(
                "  profile: apple-lte\n  nat: { forgets-after: 30 s, counts: \(words) }")
            #expect(scenario.interfaces[0].translator?.countsOnlyPayload == counts)
            let silence = counts ? "without payload" : "of silence"
            #expect(
                scenario.sentences.contains(
                    "A translator of addresses on the way forgets a connection after 30 s "
                        + "\(silence), and tells nobody."))
        }
    }

    typealias Slip = (links: String, message: String, suggestion: String?)

    @Test(
        arguments: [
            (
                "  profile: apple-lte\n  nat: { forget-after: 30 s }",
                "“nat” has no key “forget-after”",
                "“forgets-after”"
            ),
            (
                "  profile: apple-lte\n  nat: { resets: on }",
                "“nat” needs the key “forgets-after”", nil
            ),
            (
                "  profile: apple-lte\n  nat: { forgets-after: 0 s }",
                "a translator that forgets at once lets no packet through", nil
            ),
            (
                "  profile: apple-lte\n  nat: { forgets-after: 30 s, counts: payloads }",
                "what it counts cannot be “payloads”", "“payload”"
            ),
            (
                "  wifi: { profile: apple-wifi }\n  nat: { forgets-after: 30 s }",
                "the links mix keys with and without interfaces", nil
            ),
        ] as [Slip])
    func `a mistake is found`(slip: Slip) {
        let found = ValidScenario.diagnostics(of: Self.text(slip.links))
        let seen = found.first { $0.message == slip.message }
        #expect(seen != nil, "\(found)")
        if let suggestion = slip.suggestion { #expect(seen?.suggestion == suggestion) }
    }
}
