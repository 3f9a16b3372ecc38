import Device
import LinkModels
import Quantities
import RunPlan
import Scenario
import Testing
import TransferEngine

/// What a scenario says of a phone's ways into the network.
@Suite struct NetworkMistakeTests {
    typealias Row = (line: Int, words: String, at: String, message: String)

    private static let twoWays = """
          wifi: { profile: apple-wifi }
          cellular: { profile: apple-lte }
        """

    static let rows: [Row] = [
        (16, "  - 4 s: wifi lost", "16:10", "there is no wifi here"),
        (16, "  - 4 s: doze begins", "16:10", "only an Android phone dozes"),
        (
            16, "  - 4 s: battery saver on", "16:10",
            "only an Android phone has a battery saver; that of iOS is “low-power mode”"
        ),
        (16, "  - 4 s: cellular back", "16:10", "there is no cellular here"),
        (16, "  - 4 s: captive portal appears", "16:10", "there is no wifi here"),
        (16, "  - 4 s: wifi becomes metered", "16:10", "there is no wifi here"),
        (
            8, "  downlink: { rate: 10 Mbit/s, delay: 20 ms }\n  wifi: { profile: apple-wifi }",
            "7:3", "the links mix keys with and without interfaces"
        ),
        (
            13, "    to: incoming/video.mov\n    network: wify only", "14:14",
            "there is no network limit “wify only”"
        ),
    ]

    @Test(arguments: rows) func `a mistake has its place and its words`(row: Row) {
        let text = ValidScenario.text(with: row.line, replacedBy: row.words)
        let seen = ValidScenario.diagnostics(of: text)
        #expect(
            seen.first.map { "\($0.line):\($0.column) \($0.message)" }
                == "\(row.at) \(row.message)", "\(text)")
    }

    private static func withInterfaces(_ links: String, timeline: String = "app killed") -> String {
        ValidScenario.text.replacing(
            """
              uplink: { rate: 10 Mbit/s, delay: 20 ms, queue: 50 kB, loss: 2 % }
              downlink: { rate: 10 Mbit/s, delay: 20 ms }
            """, with: links
        ).replacing("4 s: app killed", with: "4 s: \(timeline)")
            .replacing("\n  - 7 s: app launched", with: "")
    }

    typealias Slip = (links: String, message: String, suggestion: String?)

    @Test(
        arguments: [
            (
                "  wifi: { uplink: { profile: apple-wifi } }",
                "an interface needs the key “downlink”", nil
            ),
            ("  wifi: { profil: apple-wifi }", "an interface has no key “profil”", "“profile”"),
            ("  wify: { profile: apple-wifi }", "“links” has no key “wify”", "“wifi”"),
            (
                "  wifi: { profile: apple-wifi }\n  hand-over: { lingers: 3 s }",
                "“hand-over” has no key “lingers”", "“linger”"
            ),
            (
                "  wifi: { profile: apple-wifi }\n  hand-over: { connections: silent }",
                "connections cannot be set to “silent”", "“go silent”"
            ),
        ] as [Slip])
    func `a mistake in an interface is found`(slip: Slip) {
        let seen = ValidScenario.diagnostics(of: Self.withInterfaces(slip.links))
        let found = seen.first { $0.message == slip.message }
        #expect(found != nil, "\(seen)")
        #expect(found?.suggestion == slip.suggestion)
    }

    @Test func `what is meant is guessed`() {
        for (said, meant) in [
            ("wifi is lost", "“wifi lost”"), ("airplan mode off", "“airplane mode off”"),
            ("NAT forgets", "“nat forgets”"), ("captive portal apears", "“captive portal appears”"),
        ] {
            let text = Self.withInterfaces(Self.twoWays, timeline: said)
            #expect(ValidScenario.diagnostics(of: text).first?.suggestion == meant)
        }
    }

    @Test func `a phone with two interfaces has their links by name, Wi-Fi first`() throws {
        let text = Self.withInterfaces(
            """
              cellular: { profile: apple-lte, uplink: { loss: 1 % } }
              wifi: { profile: apple-wifi }
              hand-over: { gap: 2 s, linger: 5 s, connections: go silent }
            """, timeline: "wifi to cellular"
        ).replacing(
            "    to: incoming/video.mov",
            with: "    to: incoming/video.mov\n    network: [wifi only, not in low data mode]")
        let scenario = try Scenario.read(text: text, path: "two.yaml")
        #expect(scenario.interfaces.map(\.kind.rawValue) == ["wifi", "cellular"])
        #expect(scenario.interfaces[0].uplink.name == "wifi/uplink")
        #expect(scenario.interfaces[1].downlink.name == "cellular/downlink")
        #expect(scenario.interfaces[1].uplink.filters.count == 1)
        #expect(
            scenario.network
                == .init(gap: .seconds(2), linger: .seconds(5), endsConnections: false))
        #expect(scenario.sessions[0].limits == [.noCellular, .noLowData])
        #expect(
            scenario.plan().timeline == [.init(at: .start + .seconds(4), .network(.fades(.wifi)))])
        let sentences = scenario.sentences.joined(separator: " ")
        #expect(sentences.contains("Wi-Fi is used where there is one"))
        #expect(sentences.contains("At 4 s Wi-Fi fades away"))
        #expect(sentences.contains("not over cellular, not in low data mode."))
    }

    @Test func `links without a name have a phone's network only where something happens to it`()
        throws
    {
        let plain = try Scenario.read(text: ValidScenario.text, path: "plain.yaml")
        #expect(plain.network == nil && plain.interfaces.map(\.kind.rawValue) == ["line"])
        let lost = ValidScenario.text.replacing("4 s: app killed", with: "4 s: network lost")
            .replacing("7 s: app launched", with: "7 s: network back")
        #expect(try Scenario.read(text: lost, path: "lost.yaml").network != nil)
    }
}
