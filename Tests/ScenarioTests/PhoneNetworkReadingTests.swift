import LinkModels
import Quantities
import Scenario
import Testing

/// The network that a phone names for itself.
@Suite struct PhoneNetworkReadingTests {
    private static let links = """
        links:
          uplink: { rate: 10 Mbit/s, delay: 20 ms, queue: 50 kB, loss: 2 % }
          downlink: { rate: 10 Mbit/s, delay: 20 ms }

        """

    private static func text(_ device: String, _ links: String = "") -> String {
        ValidScenario.text.replacing(Self.links, with: "device: \(device)\n\(links)")
    }

    @Test func `a phone's network is both directions of its links, and nothing else is needed`()
        throws
    {
        let text = Self.text("{ os: ios-17, network: apple-lte }")
        let short = try Scenario.read(text: text, path: "x.yaml")
        let long = try Scenario.read(
            text: Self.text("{ os: ios-17 }", "links: { profile: apple-lte }\n"), path: "x.yaml")
        #expect(short.interfaces == long.interfaces)
        #expect(short.uplink.delay == .milliseconds(65))
        #expect(short.downlink.bottleneck.rate == Bitrate(bitsPerSecond: 50_000_000))
    }

    @Test func `what the links say comes on top of the phone's network`() throws {
        let text = Self.text(
            "{ os: ios-17, network: apple-very-bad }",
            "links: { uplink: { rate: 2 Mbit/s, loss: { every: 9 } } }\n")
        let scenario = try Scenario.read(text: text, path: "x.yaml")
        #expect(scenario.uplink.bottleneck.rate == Bitrate(bitsPerSecond: 2_000_000))
        #expect(scenario.uplink.filters == [.periodicLoss(period: 9)])
        #expect(scenario.uplink.delay == .milliseconds(500))
        #expect(scenario.downlink.meanLoss == Probability(percent: 10))
    }

    @Test func `a direction may have another profile than the phone's network`() throws {
        let text = Self.text(
            "{ os: ios-17, network: apple-lte }", "links: { uplink: { profile: apple-3g } }\n")
        let scenario = try Scenario.read(text: text, path: "x.yaml")
        #expect(scenario.uplink.bottleneck.rate == LinkProfile.named("apple-3g")?.up.rate)
        #expect(scenario.downlink.bottleneck.rate == LinkProfile.named("apple-lte")?.down.rate)
    }

    typealias Slip = (
        device: String, links: String, message: String, expected: String, suggestion: String?
    )

    @Test(
        arguments: [
            (
                "{ os: ios-17, network: apple-lte }", "links: { profile: apple-3g }\n",
                "the phone has the network “apple-lte” already",
                "either “network” of the phone or “profile” of its links", nil
            ),
            (
                "{ os: ios-17, network: apple-lte }", "links: { wifi: { profile: apple-wifi } }\n",
                "the phone has the network “apple-lte”, and interfaces",
                "“profile: apple-lte” under “wifi” or “cellular” instead of “network”", nil
            ),
            (
                "{ os: ios-17, network: aple-lte }", "", "there is no link profile “aple-lte”",
                "one of ", "“apple-lte”"
            ),
            (
                "{ os: ios-17 }", "", "a scenario needs the key “links”",
                "for instance “links: ", nil
            ),
        ] as [Slip])
    func `a mistake has its words and a way out`(slip: Slip) throws {
        let found = ValidScenario.diagnostics(of: Self.text(slip.device, slip.links))
        #expect(found.map(\.message) == [slip.message])
        #expect(found.first?.expected?.hasPrefix(slip.expected) == true)
        #expect(found.first?.suggestion == slip.suggestion)
    }

    @Test func `the scenario on the design's own page is understood`() throws {
        let text = """
            name: background task expires in the middle of an upload
            why: iOS 13 and later give about 30 s; the queue must stop in time
            cites: [A11, B14]
            seed: 7
            device: { os: ios-17, network: apple-lte }
            links:
              uplink: { profile: apple-lte, loss: { gilbert-elliott: { p: 0.02 %, r: 25 % } } }
            files:
              video.mov: 80 MB
            queue:
              - upload: video.mov
                to: incoming/video.mov
            timeline:
              - 5 s: app to background
              - 50 s: app to foreground
            expect:
              - session 1 is stopped by expiry once  # counted from 1
              - session 1 completes within 150 s     # of the run's start
              - at most 1 MB sent again
            """
        let scenario = try Scenario.read(text: text, path: "x.yaml")
        #expect(scenario.uplink.filters.count == 1)
        #expect(scenario.downlink.delay == LinkProfile.named("apple-lte")?.down.delay)
    }
}
