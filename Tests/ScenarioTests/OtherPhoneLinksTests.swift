import Device
import LinkModels
import Quantities
import RunPlan
import Scenario
import Testing

/// The ways into the network of phones beside the first.
@Suite struct OtherPhoneLinksTests {
    private static let camera =
        "apps: { camera: { files: { b.bin: 2 MB }, queue: [{ upload: b.bin, to: in/b.bin }] } }"

    private static func text(
        _ tablet: String, timeline: String = "app killed", first: String? = nil
    ) -> String {
        let devices = "devices:\n  tablet: { os: ios-16, \(tablet)\(camera) }\n"
        let text = ValidScenario.text.replacing("links:\n", with: "\(devices)links:\n").replacing(
            "  - 4 s: app killed\n  - 7 s: app launched\n", with: "  - 4 s: \(timeline)\n")
        guard let first else { return text }
        return text.replacing(
            """
              uplink: { rate: 10 Mbit/s, delay: 20 ms, queue: 50 kB, loss: 2 % }
              downlink: { rate: 10 Mbit/s, delay: 20 ms }
            """, with: first)
    }

    private static let twoWays =
        "links: { wifi: { profile: apple-wifi }, cellular: { profile: apple-3g } }, "

    private static func read(_ text: String) throws -> Scenario {
        try Scenario.read(text: text, path: "x.yaml")
    }

    @Test func `without a word they are copies of all ways of the first, with its name before`()
        throws
    {
        let first = "  cellular: { profile: apple-lte }\n  wifi: { profile: apple-wifi }"
        let scenario = try Self.read(Self.text("", first: first))
        let copy = scenario.otherDevices[0]
        #expect(copy.hasCopiedLinks && copy.network == scenario.network)
        #expect(copy.interfaces.map(\.kind) == [.wifi, .cellular])
        #expect(copy.interfaces[1].downlink.name == "tablet/cellular/downlink")
        #expect(copy.interfaces[0].uplink.bottleneck == scenario.uplink.bottleneck)
        #expect(
            scenario.sentences.contains(
                "There is another phone, “tablet” with iOS 16, with links like those of the first."
            ))
    }

    @Test func `a network by name is theirs alone, and what their links say comes on top`() throws {
        let scenario = try Self.read(
            Self.text("network: apple-lte, links: { uplink: { loss: 1 % } }, "))
        let own = scenario.otherDevices[0].interfaces
        #expect(own.map(\.kind) == [.line])
        #expect(own[0].uplink.name == "tablet/uplink")
        #expect(own[0].uplink.delay == .milliseconds(65))
        #expect(own[0].uplink.filters.count == 1)
        #expect(scenario.uplink.delay == .milliseconds(20))
        #expect(scenario.otherDevices[0].network == nil)
        let sentences = scenario.sentences.joined(separator: " ")
        #expect(sentences.contains("“tablet” with iOS 16, with links of its own."))
        #expect(sentences.contains("The tablet/uplink carries 10 Mbit/s with 65 ms of delay"))
    }

    @Test func `what others send on their links is sent there`() throws {
        let scenario = try Self.read(
            Self.text(
                "links: { profile: apple-lte, downlink: { cross-traffic: { rate: 2 Mbit/s } } }, "))
        let streams = scenario.crossTraffic.streams
        #expect(streams.map(\.interface) == [1])
        #expect(streams.map(\.direction) == [.downlink])
        #expect(
            scenario.sentences.contains {
                $0.hasPrefix("Others send on the tablet/downlink: 2 Mbit/s")
            })
    }

    static let happenings: [(String, DeviceNetwork.Input)] = [
        ("network lost on tablet", .lost(nil)),
        ("network back on tablet", .found(nil, moved: false)),
        ("wifi lost on tablet", .lost(.wifi)),
        ("wifi back as another network on tablet", .found(.wifi, moved: true)),
        ("wifi to cellular on tablet", .fades(.wifi)),
        ("cellular to wifi on tablet", .found(.wifi, moved: false)),
        ("airplane mode on for tablet", .airplaneMode(true)),
        ("airplane mode off for tablet", .airplaneMode(false)),
        ("captive portal appears on tablet", .portalComes(dropsOthers: false)),
        ("user logs in on tablet", .login),
        ("nat forgets and resets on tablet", .mappingsForgotten(resets: true)),
        ("low data mode on for tablet", .lowDataMode(true)),
    ]

    @Test(arguments: happenings)
    func `what happens to their networks is said with their name`(
        words: String, input: DeviceNetwork.Input
    ) throws {
        let scenario = try Self.read(Self.text(Self.twoWays, timeline: words))
        #expect(
            scenario.plan().timeline == [
                TimelineEntry(at: .start + .seconds(4), .network(input, on: 1))
            ])
        #expect(scenario.network == nil)
        #expect(scenario.otherDevices[0].network == DeviceNetwork.Settings())
    }

    typealias Slip = (tablet: String, timeline: String, message: String, way: String?)

    @Test(
        arguments: [
            (
                "network: apple-lte, ", "wifi lost on tablet", "there is no wifi on “tablet”",
                "“wifi” under “links” of “tablet”, such as wifi: { profile: apple-wifi }"
            ),
            (
                twoWays, "wifi lost", "there is no wifi here",
                "“wifi” under “links”, such as wifi: { profile: apple-wifi }"
            ),
            (twoWays, "wifi lost on tabelt", "there is no phone “tabelt”", nil),
            (
                "links: { uplink: { profile: apple-lte } }, ", "app killed",
                "“links” needs the key “downlink”", nil
            ),
            (
                "link: { profile: apple-lte }, ", "app killed",
                "another phone has no key “link”", nil
            ),
        ] as [Slip])
    func `a mistake says of which phone it is`(slip: Slip) {
        let found = ValidScenario.diagnostics(of: Self.text(slip.tablet, timeline: slip.timeline))
        #expect(found.map(\.message) == [slip.message])
        if let way = slip.way { #expect(found.first?.expected == way) }
    }

    @Test func `a slip in the wording is answered with the right one`() {
        let text = Self.text(Self.twoWays, timeline: "airplane mode on on tablet")
        #expect(
            ValidScenario.diagnostics(of: text).first?.suggestion
                == "“airplane mode on for tablet”")
    }
}
