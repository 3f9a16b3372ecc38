import Quantities
import RunPlan
import Scenario
import Testing
import TransferEngine

/// How the files of a session go, as an entry of the queue says it (A15).
@Suite struct SettingsReadingTests {
    private static func text(_ entry: String, timeline: String = "") -> String {
        """
        name: settings
        why: a session says how its files go
        links:
          uplink: { rate: 10 Mbit/s, delay: 20 ms }
          downlink: { rate: 10 Mbit/s, delay: 20 ms }
        files: { a.mov: 400 kB }
        queue:
          - { upload: a.mov, to: in/a.mov, \(entry) }
        \(timeline)
        expect:
          - session 1 completes within 10 s

        """
    }

    private static func read(_ entry: String, timeline: String = "") throws -> Scenario {
        try Scenario.read(text: text(entry, timeline: timeline), path: "x.yaml")
    }

    @Test(arguments: OverwritePolicy.allCases, ResumePolicy.allCases)
    func `each policy is read by its own name`(overwrite: OverwritePolicy, resume: ResumePolicy)
        throws
    {
        let entry = "overwrite: \(overwrite.rawValue), resume: \(resume.rawValue)"
        let settings = try Self.read(entry).sessions[0].settings
        #expect(settings == TransferSettings(overwrite: overwrite, resume: resume))
    }

    @Test func `a rate has a policy, a target and a minimum, and says for whom it is`() throws {
        let scenario = try Self.read(
            "overwrite: older, rate: { policy: high, target: 20 Mbit/s, minimum: 500 kbit/s }")
        let rate = RateWish(policy: .high, target: 20_000_000, minimum: 500_000)
        #expect(scenario.sessions[0].settings.rate == rate)
        #expect(
            scenario.sentences.contains(
                "Session 1 uploads a.mov (400 kB) to in/a.mov, overwrites older, wants a high rate "
                    + "of 20 Mbit/s and at least 500 kbit/s, which is for the paced transport: "
                    + "over HTTP TCP sets the rate."
            ))
    }

    @Test func `without a word a session goes by the usual settings, and nothing is said of them`()
        throws
    {
        let scenario = try Self.read("network: []")
        #expect(scenario.sessions[0].settings == TransferSettings())
        #expect(
            scenario.sentences.contains("Session 1 uploads a.mov (400 kB) to in/a.mov."))
    }

    @Test func `a user changes them in the timeline`() throws {
        let timeline = """
            timeline:
              - 1 s: session 1 is to overwrite diff+older
              - 2 s: session 1 is to resume by full checksum
            """
        let scenario = try Self.read("network: []", timeline: timeline)
        let actions = scenario.plan().timeline.map(\.action)
        #expect(
            actions == [
                .asks(.change(1, .overwrite(.ifDifferentAndOlder))),
                .asks(.change(1, .resume(.fullChecksum))),
            ])
        #expect(
            scenario.sentences.contains("At 1 s the user wants session 1 to overwrite diff+older."))
    }

    static let mistakes: [(entry: String, complaint: String)] = [
        ("overwrite: sometimes", "there is no overwrite policy “sometimes”"),
        ("resume: sparse", "there is no resume policy “sparse”"),
        ("rate: { policy: fast }", "there is no rate policy “fast”"),
        ("rate: { target: 0 Mbit/s }", "a rate of zero"),
        ("rate: { target: 10 MB }", "“MB”"),
        (
            "rate: { target: 1 Mbit/s, minimum: 2 Mbit/s }",
            "the minimum rate is above the target rate"
        ),
        ("rate: { minimum: 11 Mbit/s }", "the minimum rate is above the target rate"),
        ("rate: { pace: 1 Mbit/s }", "a rate has no key “pace”"),
    ]

    @Test(arguments: mistakes)
    func `each mistake is told with its place`(entry: String, complaint: String) {
        let diagnostics = ValidScenario.diagnostics(of: Self.text(entry))
        #expect(diagnostics.contains { $0.message.contains(complaint) }, "\(diagnostics)")
        #expect(diagnostics.allSatisfy { $0.description.contains(":8:") })
    }
}
