import RunLog
import RunPlan
import Scenario
import Testing

/// Accounts by name, and sessions that are saved or only made (A9, A10).
@Suite struct AccountReadingTests {
    private static func text(
        accounts: String = "{ studio: studio/2026, archive: old }",
        second: String = "account: studio", timeline: String = "timeline: []"
    ) -> String {
        """
        name: accounts
        why: a session goes by an account
        links:
          uplink: { rate: 10 Mbit/s, delay: 20 ms }
          downlink: { rate: 10 Mbit/s, delay: 20 ms }
        files: { a.mov: 400 kB, b.mov: 400 kB }
        accounts: \(accounts)
        queue:
          - { upload: a.mov, to: in/a.mov }
          - { upload: b.mov, to: b.mov, \(second) }
        \(timeline)

        """
    }

    private static func mistakes(in text: String) -> [String] {
        do throws(ScenarioError) {
            _ = try Scenario.read(text: text, path: "x.yaml")
            return []
        } catch {
            return error.diagnostics.map { "\($0.message); \($0.expected ?? "")" }
        }
    }

    @Test func `an account has a folder, and its sessions go there`() throws {
        let scenario = try Scenario.read(
            text: Self.text() + "expect:\n  - studio/2026/b.mov is published once\n",
            path: "x.yaml")
        let studio = PlannedAccount(name: "studio", folder: "studio/2026")
        #expect(scenario.app.accounts == [studio, PlannedAccount(name: "archive", folder: "old")])
        #expect(scenario.sessions.map(\.account) == [nil, studio])
        #expect(scenario.sessions.map(\.destinations) == [["in/a.mov"], ["studio/2026/b.mov"]])
        for sentence in [
            "Session 2 uploads b.mov (400 kB) to b.mov, by the account “studio”.",
            "The account “studio” has its paths in studio/2026, below the docroot.",
            "The account “archive” has its paths in old, below the docroot.",
        ] { #expect(scenario.sentences.contains(sentence)) }
    }

    @Test func `what is published is named with the folder`() {
        let wrong = Self.mistakes(in: Self.text() + "expect:\n  - b.mov is published once\n")
        #expect(wrong.first?.hasPrefix("nothing is uploaded to “b.mov”") == true)
    }

    @Test(arguments: [
        ("enqueued: no", PlannedSession.Beginning.saved, "and is only saved at first"),
        ("saved: no", .made, "and is only made at first, and not even saved"),
        ("saved: yes", .enqueued, ""),
    ])
    func `a session may not be enqueued at once`(
        key: String, beginning: PlannedSession.Beginning, words: String
    ) throws {
        let scenario = try Scenario.read(text: Self.text(second: key), path: "x.yaml")
        #expect(scenario.sessions[1].beginning == beginning)
        #expect(scenario.sentences.contains { $0.contains(words) })
        #expect(scenario.sessionsAtLaunch == (beginning == .enqueued ? 2 : 1))
    }

    @Test func `the timeline and rules save it, enqueue it, and delete accounts`() throws {
        let timeline = """
            app:
              - on completed session 1: save session 2
              - on completed session 1: delete account archive
            timeline:
              - 1 s: save session 2
              - 2 s: enqueue session 2
              - 3 s: delete account studio
            """
        let scenario = try Scenario.read(
            text: Self.text(second: "saved: no", timeline: timeline), path: "x.yaml")
        #expect(scenario.app.rules.map(\.command) == [.save(2), .deleteAccount("archive")])
        let commands = scenario.plan().timeline.map(\.action)
        #expect(
            commands == [
                .asks(.save(2)), .asks(.item(.begin, ItemName(2))), .asks(.deleteAccount("studio")),
            ])
        #expect(scenario.sentences.contains("At 3 s the user deletes the account “studio”."))
        #expect(scenario.sentences.contains("At 1 s the user saves session 2."))
    }

    static let slips: [(String, String)] = [
        (
            text(second: "account: studo"),
            "there is no account “studo”; one of studio, archive"
        ),
        (
            text(accounts: "{ studio: ../x }"), "“../x” "
        ),
        (
            text(timeline: "timeline: [1 s: delete account x]"),
            "there is no account “x”; one of studio, archive"
        ),
        (
            text(timeline: "timeline: [1 s: enqueue session 2]"),
            "session 2 is already enqueued by the first launch; “enqueued: no” under it in the "
                + "queue"
        ),
        (
            text(timeline: "app: [on completed session 1: save session 2]"),
            "session 2 is already enqueued by the first launch; “saved: no” under it in the queue"
        ),
        (text(accounts: "{ Studio: x }"), "“Studio” is not a name; "),
        (
            text(second: "enqueued: maybe"), "the answer cannot be “maybe”; one of yes, no"
        ),
    ]

    @Test(arguments: slips) func `a slip is told with what was expected`(
        text: String, mistake: String
    ) {
        let mistakes = Self.mistakes(in: text)
        #expect(mistakes.contains { $0.hasPrefix(mistake) }, "\(mistakes)")
    }

    @Test func `what is only made stands behind all others`() {
        let text =
            Self.text(second: "saved: no, overwrite: never").replacing(
                "  - { upload: a.mov, to: in/a.mov }\n", with: ""
            )
            .replacing(
                "overwrite: never }", with: "overwrite: never }\n  - { upload: a.mov, to: a.mov }")
        #expect(
            Self.mistakes(in: text) == [
                "a session with “saved: no” comes before a session without it; "
                    + "sessions with “saved: no” at the end of the queue"
            ])
    }
}
