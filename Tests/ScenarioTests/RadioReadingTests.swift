import LinkModels
import Quantities
import RunPlan
import Scenario
import Testing

@Suite struct RadioReadingTests {
    private static func text(_ radio: String, uplink: String = "queue: 50 kB") -> String {
        ValidScenario.text(
            with: 7,
            replacedBy: "  radio: \(radio)\n"
                + "  uplink: { rate: 1 Mbit/s, delay: 20 ms, \(uplink) }")
    }

    @Test func `a radio's keys arrive in the plan, in both links and in the sentences`() throws {
        let text = Self.text(
            "{ like: umts, rests: { after: 9 s, promotion: 300 ms, paging: 640 ms }, "
                + "sleep: { after: 1 s, cycle: 320 ms, awake: 10 ms }, "
                + "grant: { every: 10 ms, takes: 8 ms }, "
                + "repetition: { chance: 20 %, by: 8 ms }, "
                + "hand-overs: { every: 30 s, gap: 50 ms, forwarding: off } }")
        let scenario = try Scenario.read(text: text, path: "x.yaml")
        let interface = scenario.interfaces[0]
        var plan = RadioPlan()
        plan.rests = [
            .init(
                after: .seconds(9), promotion: .milliseconds(300), paging: .milliseconds(640))
        ]
        plan.sleep = .init(
            after: .seconds(1), cycle: .milliseconds(320), awake: .milliseconds(10))
        plan.grant = .init(every: .milliseconds(10), takes: .milliseconds(8))
        #expect(interface.radio == plan)
        let chance = try #require(Probability(percent: 20))
        let cells = CellChanges(every: .seconds(30), gap: .milliseconds(50), forwards: false)
        for link in [interface.uplink, interface.downlink] {
            #expect(
                link.filters == [.blockRepetition(.init(chance: chance, by: .milliseconds(8)))])
            #expect(link.cells == cells && link.bottleneck.schedule != nil)
        }
        let words = scenario.sentences.joined(separator: " ")
        for part in [
            "20 % of the blocks are sent again, 8 ms later each time",
            "rests after 9 s without a packet, needs 300 ms to come back",
            "and is paged every 640 ms.",
            "sleeps after 1 s without a packet, and then listens for 10 ms every 320 ms.",
            "the phone asks, which it can every 10 ms, and waits 8 ms.",
            "The cell changes every 30 s, with a gap of 50 ms; what waits is lost.",
        ] {
            #expect(words.contains(part), "\(part) is not in: \(words)")
        }
    }

    @Test(arguments: ["umts", "lte", "5g"])
    func `a radio by its name rests`(name: String) throws {
        let scenario = try Scenario.read(text: Self.text(name), path: "x.yaml")
        let radio = try #require(scenario.interfaces[0].radio)
        #expect(!radio.rests.isEmpty)
    }

    @Test(
        arguments: [
            ("wifi6", "there is no radio “wifi6”"),
            (
                "{ rests: [{ after: 5 s, promotion: 2 s }, { after: 6 s, promotion: 1 s }] }",
                "a rest is less deep than the one before it"
            ),
            (
                "{ sleep: { after: 1 s, cycle: 10 ms, awake: 20 ms } }",
                "a phone cannot listen for 20 ms once in 10 ms"
            ),
            (
                "{ hand-overs: { every: 1 s, gap: 1 s } }",
                "a gap of 1 s every 1 s leaves no time to send"
            ),
            (
                "{ hand-overs: { every: 9 ms, gap: 1 ms } }", "a cell that changes every 9 ms"
            ),
        ]) func `a mistake has its words`(radio: String, message: String)
    {
        #expect(ValidScenario.diagnostics(of: Self.text(radio)).first?.message == message)
    }

    @Test(
        arguments: [
            ("outages: [1 s to 2 s]", "cells change on a link whose rate changes anyway"),
            ("queue: { discipline: codel }", "hand-overs cannot empty a queue with a discipline"),
        ]) func `cells change on plain links`(uplink: String, message: String)
    {
        let text = Self.text(
            "{ hand-overs: { every: 30 s, gap: 50 ms, forwarding: off } }", uplink: uplink)
        #expect(ValidScenario.diagnostics(of: text).first?.message == message)
    }
}
