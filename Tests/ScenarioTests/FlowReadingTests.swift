import Checks
import LinkModels
import Protocols
import Quantities
import RunPlan
import Scenario
import Testing

/// The key `flows`, from the file to the plan and to the sentences.
@Suite struct FlowReadingTests {
    @Test func `a scenario may have nothing but flows`() throws {
        let scenario = try read(
            """
            probe: { from: phone, for: 30 s }
            web: { from: server, bytes: 100 kB, arrivals: { mean: 2 s }, for: 20 s, count: 2 }
            far: { from: phone, to: server, starts: 5 s, bytes: 1 MB, delay: 20 ms }
            """)
        let flows = scenario.plan().crossTraffic.flows
        #expect(flows.map(\.name) == ["probe", "web", "far"])
        #expect(flows.map(\.direction) == [.uplink, .downlink, .uplink])
        #expect(flows.map(\.until) == [.seconds(30), .seconds(20), nil])
        #expect(flows.map(\.length) == [nil, ByteCount(100_000), ByteCount(1_000_000)])
        #expect(flows.map(\.controller) == [.newReno, .bbr, .newReno])
        #expect(flows[1].arrivals == .init(gap: .seconds(2), gaps: .exponential))
        #expect(flows[2].from == .seconds(5) && flows[2].delay == .milliseconds(20))
        #expect(scenario.files.isEmpty && scenario.sessions.isEmpty)
        let sentences = scenario.sentences.filter { $0.hasPrefix("Flow") }
        #expect(
            sentences == [
                "Flow “probe” sends on the uplink: TCP with newreno, as much as it gets through, "
                    + "until 30 s.",
                "Flow “web” sends on the downlink, 2 at a time, each: TCP with bbr, 100 kB, "
                    + "until 20 s, one every about 2 s.",
                "Flow “far” sends on the uplink: TCP with newreno, 1 MB, from 5 s, with a server "
                    + "20 ms further away.",
            ])
    }

    @Test func `a flow of the paced transport has rates instead of a controller`() throws {
        let scenario = try read(
            """
            film: { from: phone, for: 30 s, paced: { policy: high, target: 50 Mbit/s, minimum: \
            1 Mbit/s } }
            backup: { from: phone, for: 30 s, paced: { policy: low } }
            web: { from: phone, for: 30 s }
            """, expect: "[flow film sends in vain at most 1 %]")
        let flows = scenario.plan().crossTraffic.flows
        let rates = [50_000_000, 1_000_000].map { Bitrate(bitsPerSecond: $0) }
        #expect(
            flows.map(\.paced) == [
                PacedSettings(policy: .high, target: rates[0], minimum: rates[1]),
                PacedSettings(policy: .low), nil,
            ])
        let sentences = scenario.sentences.filter { $0.hasPrefix("Flow") }
        #expect(
            sentences.first
                == "Flow “film” sends on the uplink: the paced transport with the policy high, at "
                + "most 50 Mbit/s, at least 1 Mbit/s, as much as it gets through, until 30 s.")
    }

    @Test func `a flow crosses the interface that is named`() throws {
        let links = """
            links: { wifi: { profile: apple-wifi }, cellular: { profile: apple-lte } }
            devices: { tablet: { os: ios-17, links: { profile: apple-dsl }, apps: { camera: \
            { files: { b.bin: 2 MB }, queue: [{ upload: b.bin, to: in/b.bin }] } } } }
            """
        let scenario = try read(
            """
            a: { from: phone, interface: cellular, for: 1 s }
            b: { from: server, to: tablet, for: 1 s, controller: cubic }
            """, links: links,
            expect: "[flow b reaches 1 kbit/s, flow b gets 0 % to 100 % of "
                + "tablet/downlink]")
        let flows = scenario.crossTraffic.flows
        #expect(flows.map(\.interface) == [1, 2])
        #expect(flows.map(\.controller) == [.newReno, .cubic])
        #expect(scenario.sentences.contains { $0.hasPrefix("Flow “b” sends on the tablet/down") })
    }

    @Test func `sentences about flows become expectations`() throws {
        let scenario = try read(
            "probe: { from: phone, for: 30 s }\nrival: { from: phone, for: 30 s }",
            expect: """
                [flow probe reaches 8 Mbit/s, flow probe reaches 8 Mbit/s between 10 s and 20 s,
                flow probe gets 45 % to 55 % of uplink, flow probe gets 20 % to 40 % of flow rival,
                flow probe sends again at most 2 %, flow probe ends within 3 s,
                flows share uplink with fairness of 0.95,
                queueing delay on uplink stays below 50 ms,
                p95 queueing delay on downlink stays below 5 ms between 1 s and 2 s,
                at most 100 packets dropped on uplink, at least 0.5 % of packets dropped on uplink]
                """)
        let window = TimeSpan.seconds(10)...TimeSpan.seconds(20)
        let eight = Bitrate(bitsPerSecond: 8_000_000)
        let plans = scenario.expectations.map(\.plan)
        #expect(plans.count == 11)
        #expect(plans[0] == .flow("probe", .reaches(eight), during: nil))
        #expect(plans[1] == .flow("probe", .reaches(eight), during: window))
        #expect(plans[2] == .flow("probe", .gets(try range(45, 55)), during: nil))
        #expect(
            plans[3] == .flow("probe", .getsBeside(try range(20, 40), flow: "rival"), during: nil))
        #expect(plans[6] == .flowsShare(link: "uplink", fairness: 950, during: nil))
        #expect(
            plans[8]
                == .queueing(
                    link: "downlink", .percentile95, below: .milliseconds(5),
                    during: .seconds(1) ... .seconds(2)))
        #expect(plans[9] == .traffic(.dropCount(.atMost(100), on: "uplink")))
    }

    /// The flows, and what is said about them.
    static let mistakes: [(flows: String, message: String)] = [
        ("probe: {}", "there is nothing between the braces"),
        ("probe: { for: 1 s }", "a flow needs the key “from”"),
        ("Probe: { from: phone, for: 1 s }", "“Probe” is not a name"),
        ("uplink: { from: phone, for: 1 s }", "“uplink” is the name of a link"),
        ("a: { from: phone }", "nothing ends this run: all flows go on for ever"),
        ("a: { from: phone, to: phone, for: 1 s }", "a flow from phone to phone crosses no link"),
        (
            "a: { from: server, to: server, for: 1 s }",
            "a flow from server to server crosses no link"
        ),
        ("a: { from: tablet, for: 1 s }", "there is no phone “tablet”"),
        ("a: { from: phone, interface: wifi, for: 1 s }", "the phone has no “wifi”"),
        ("a: { from: phone, for: 1 s, bytes: 1 MB }", "a flow ends by “bytes” or by “for”"),
        ("a: { from: phone, for: 0 s }", "a flow that sends for no time"),
        ("a: { from: phone, bytes: 0 B }", "a flow that sends nothing"),
        ("a: { from: phone, bytes: 1 B, controller: vegas }", "there is no controller “vegas”"),
        ("a: { from: phone, bytes: 1 B, count: 0 }", "0 flows"),
        (
            "a: { from: phone, bytes: 1 B, paced: { policy: fixed } }",
            "a flow with a fixed rate needs one"
        ),
        (
            "a: { from: phone, bytes: 1 B, paced: { target: 1 Mbit/s, minimum: 2 Mbit/s } }",
            "2 Mbit/s is more than the target of 1 Mbit/s"
        ),
        ("a: { from: phone, bytes: 1 B, paced: { policy: quick } }", "there is no policy “quick”"),
        (
            "a: { from: phone, bytes: 1 B, paced: { policy: fair }, controller: bbr }",
            "the paced transport has no congestion controller"
        ),
        (
            "a: { from: phone, starts: 5 s, for: 596 s }",
            "the flow sends until 601 s, and the run ends at its limit of 10 min"
        ),
        (
            "a: { from: phone, bytes: 1 B, arrivals: { every: 1 s } }",
            "“arrivals” goes on for ever, or with flows that never end"
        ),
        (
            "a: { from: phone, bytes: 1 B, for: 1 s, arrivals: { every: 1 s, mean: 1 s } }",
            "“arrivals” says the time from one to the next once"
        ),
        (
            "a: { from: phone, bytes: 1 B, for: 1 s, arrivals: { every: 1 us } }",
            "flows that arrive every 1 µs"
        ),
        (
            "a: { from: phone, bytes: 1 B, for: 500 s, arrivals: { every: 100 ms } }",
            "these are about 5001 flows in all"
        ),
    ]

    @Test(arguments: mistakes)
    func `a mistake is told`(row: (flows: String, message: String)) {
        let messages = ValidScenario.diagnostics(of: text(row.flows)).map(\.message)
        #expect(messages == [row.message])
    }

    static let slips: [(sentence: String, message: String)] = [
        ("flow prope reaches 1 Mbit/s", "there is no flow “prope”"),
        ("flow probe gets 1 % to 2 % of uplnk", "there is no link “uplnk”"),
        (
            "flow probe gets 1 % to 2 % of downlink",
            "flow “probe” does not send over the downlink"
        ),
        ("flow probe gets 3 % to 2 % of uplink", "2 % comes before 3 %"),
        ("flows share uplink with fairness of 1.2", "“1.2” is no fairness"),
        ("flow probe reaches 1 Mbit/s between 9 s and 8 s", "nothing is between 9 s and 8 s"),
        ("queueing delay on lan stays below 1 ms", "there is no link “lan”"),
        ("at most 3 packets dropped on lan", "there is no link “lan”"),
    ]

    @Test(arguments: slips)
    func `a slip in a sentence is told`(row: (sentence: String, message: String)) {
        let text = text("probe: { from: phone, for: 30 s }", expect: "[\(row.sentence)]")
        #expect(ValidScenario.diagnostics(of: text).map(\.message) == [row.message])
    }

    // MARK: Reading

    private func read(
        _ flows: String, links: String? = nil, expect: String? = nil
    ) throws -> Scenario {
        try Scenario.read(text: text(flows, links: links, expect: expect), path: "x.yaml")
    }

    private func text(_ flows: String, links: String? = nil, expect: String? = nil) -> String {
        let lines = flows.split(separator: "\n").map { "  \($0)\n" }.joined()
        let usual = """
            links:
              uplink: { rate: 10 Mbit/s, delay: 20 ms }
              downlink: { rate: 10 Mbit/s, delay: 20 ms }
            """
        return """
            name: flows alone
            why: flows need no files
            tcp: { client: { controller: newreno }, server: { controller: bbr } }
            \(links ?? usual)
            flows:
            \(lines)\(expect.map { "expect: \($0)\n" } ?? "")
            """
    }

    private func range(_ least: Double, _ most: Double) throws -> ClosedRange<Probability> {
        try #require(Probability(percent: least))...(try #require(Probability(percent: most)))
    }
}
