import Checks
import Content
import LinkModels
import Quantities
import RunLog
import RunPlan
import Scenario
import Testing

@Suite struct ScenarioPlanTests {
    @Test func `every key arrives in the plan`() throws {
        let scenario = try Scenario.read(text: ValidScenario.text, path: "x.yaml")
        let plan = scenario.plan()
        #expect(plan.name == "app killed and started again")
        #expect(plan.seed == 7)
        #expect(plan.limit == .seconds(120))
        #expect(
            plan.files == [
                PlannedFile(
                    path: "video.mov", version: FileVersion(file: 1, edit: 0),
                    size: ByteCount(8_000_000))
            ])
        #expect(
            plan.sessions == [
                PlannedSession(source: "video.mov", destination: "incoming/video.mov")
            ])
        #expect(
            plan.timeline == [
                TimelineEntry(at: Instant(nanoseconds: 4_000_000_000), .killApp),
                TimelineEntry(at: Instant(nanoseconds: 7_000_000_000), .launchApp),
            ])
        let loss = try #require(Probability(percent: 2))
        #expect(
            plan.uplink
                == LinkPlan(
                    name: "uplink", filters: [.independentLoss(loss)], delay: .milliseconds(20),
                    bottleneck: BottleneckPlan(
                        rate: Bitrate(bitsPerSecond: 10_000_000),
                        queue: .dropTail(limit: ByteCount(50_000)))))
        #expect(plan.downlink.name == "downlink")
        #expect(plan.downlink.filters.isEmpty)
    }

    @Test func `TCP has the controller that the scenario names, and Linux's without a word`() throws
    {
        let silent = try Scenario.read(text: ValidScenario.text, path: "x.yaml")
        #expect(silent.plan().tcp.controller == .cubic)
        for controller in TCPSettings.Controller.allCases {
            let line = "tcp: { controller: \(controller.rawValue) }\nseed: 7"
            let text = ValidScenario.text(with: 5, replacedBy: line)
            let scenario = try Scenario.read(text: text, path: "x.yaml")
            #expect(scenario.plan().tcp == TCPSettings(controller: controller))
        }
    }

    @Test func `each host may have a controller of its own`() throws {
        let line = "tcp: { controller: newreno, client: { controller: bbr } }\nseed: 7"
        let text = ValidScenario.text(with: 5, replacedBy: line)
        let scenario = try Scenario.read(text: text, path: "x.yaml")
        #expect(
            scenario.plan().tcp == TCPSettings(controller: .newReno, clientController: .bbr))
        #expect(
            scenario.sentences.contains("The client's TCP has bbr, the server's newreno."))
        let other = "tcp: { server: { controller: newreno } }\nseed: 7"
        let server = try Scenario.read(
            text: ValidScenario.text(with: 5, replacedBy: other), path: "x.yaml")
        #expect(server.plan().tcp == TCPSettings(serverController: .newReno))
    }

    @Test func `each host may find out about black holes in its own way`() throws {
        let line = "tcp: { black-holes: linux, client: { black-holes: apple } }\nseed: 7"
        let text = ValidScenario.text(with: 5, replacedBy: line)
        let scenario = try Scenario.read(text: text, path: "x.yaml")
        let tcp = scenario.plan().tcp
        #expect(tcp.clientBlackHoles == .apple)
        #expect(tcp.serverBlackHoles == nil && tcp.blackHoles == .linux)
        #expect(
            scenario.sentences.filter { $0.contains("large packets") } == [
                "The client finds out as Apple's systems do that large packets vanish.",
                "The server finds out as Linux does that large packets vanish.",
            ])
    }

    @Test(arguments: TransportSecurity.allCases, ["", "\""])
    func `connections speak the TLS that the scenario names, quoted or not`(
        security: TransportSecurity, quote: String
    ) throws {
        let line = "tcp: { tls: \(quote)\(security.rawValue)\(quote) }\nseed: 7"
        let text = ValidScenario.text(with: 5, replacedBy: line)
        let scenario = try Scenario.read(text: text, path: "x.yaml")
        #expect(scenario.plan().tcp == TCPSettings(security: security))
        let sentence = scenario.sentences.first { $0.contains("TLS") }
        #expect((sentence == nil) == (security == .none))
        if security == .tls12 {
            #expect(
                sentence
                    == "Connections speak TLS 1.2: 2 round trips more before the first request.")
        }
    }

    @Test func `TCP is set up as the scenario says`() throws {
        let line =
            "tcp: { receive-window: 256 KiB, send-buffer: 1 MiB, "
            + "quick-acknowledgements: off, minimum-timeout: 1 s }\nseed: 7"
        let text = ValidScenario.text(with: 5, replacedBy: line)
        let settings = try Scenario.read(text: text, path: "x.yaml").plan().tcp
        #expect(
            settings
                == TCPSettings(
                    receiveWindow: ByteCount(256 << 10), sendBuffer: ByteCount(1 << 20),
                    acknowledgesQuickly: false,
                    minimumTimeout: .seconds(1)))
    }

    @Test func `TCP begins, paces and makes way as the scenario says`() throws {
        let line =
            "tcp: { initial-window: 32, pacing: on, send-buffer: 1 GiB, "
            + "background: { controller: ledbat++ } }\nseed: 7"
        let text = ValidScenario.text(with: 5, replacedBy: line)
        let scenario = try Scenario.read(text: text, path: "x.yaml")
        #expect(
            scenario.plan().tcp
                == TCPSettings(
                    backgroundController: .ledbat, initialWindow: 32, pacesWindows: true,
                    sendBuffer: ByteCount(1 << 30)))
        for sentence in [
            "The system's background transfers have the TCP of ledbat++.",
            "Connections begin with 32 segments.",
            "A congestion window is spread over the round trip.",
        ] {
            #expect(scenario.sentences.contains(sentence))
        }
    }

    @Test func `another seed changes the seed and nothing else`() throws {
        let scenario = try Scenario.read(text: ValidScenario.text, path: "x.yaml")
        var plan = scenario.plan(seed: 8)
        #expect(plan.seed == 8)
        plan.seed = 7
        #expect(plan == scenario.plan())
    }

    @Test(arguments: [
        // 10 Mbit/s hold 50 kB in 40 ms; 1 Mbit/s would hold 5 kB, which is less than 16 packets.
        (rate: "10 Mbit/s", delay: "20 ms", queue: UInt64(50_000)),
        (rate: "1 Mbit/s", delay: "20 ms", queue: 24_000),
        (rate: "1 Gbit/s", delay: "100 ms", queue: 15_000_000),
    ])
    func `a queue left open takes one round trip of the line, at least 16 packets`(
        rate: String, delay: String, queue: UInt64
    ) throws {
        let text = ValidScenario.text(
            with: 8, replacedBy: "  downlink: { rate: \(rate), delay: \(delay) }")
        let plan = try Scenario.read(text: text, path: "x.yaml").plan()
        #expect(plan.downlink.bottleneck.queue == .dropTail(limit: ByteCount(queue)))
    }

    @Test func `what is left out has a default`() throws {
        var text = ValidScenario.text
        for line in ["seed: 7", "limit: 2 min", "tags: [short]", "must-fail: L1"] {
            text = text.split(separator: "\n").filter { $0 != line }.joined(separator: "\n")
        }
        let scenario = try Scenario.read(text: text, path: "x.yaml")
        #expect(scenario.seed == 1)
        #expect(scenario.limit == .seconds(600))
        #expect(scenario.tags.isEmpty)
        #expect(scenario.mustFail == nil)
    }
}
