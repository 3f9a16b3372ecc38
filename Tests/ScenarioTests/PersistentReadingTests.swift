import RunLog
import RunPlan
import Scenario
import Testing
import TransferEngine

/// Persistent sessions in a file: what can be added to them, and who adds it.
@Suite struct PersistentReadingTests {
    private static func text(
        queue: [String] = ["persistent: { a.mov: in/a.mov, b.mov: in/b.mov }"],
        rules: [String] = [], timeline: [String] = ["1 s: app killed"], expect: [String] = []
    ) -> String {
        func list(_ key: String, _ entries: [String]) -> String {
            entries.isEmpty ? "" : "\(key):\n" + entries.map { "  - \($0)\n" }.joined()
        }
        return """
            name: persistent sessions
            why: an app adds paths while they run
            device:
              os: ios-17
              apps:
                backup:
                  files: { c.bin: 1 MB }
                  queue:
                    - { persistent: { c.bin: in/c.bin }, network: wifi only }
                  app:
                    - on session \(queue.count + 1) can accept paths: add all files to session \
            \(queue.count + 1)
            links:
              uplink: { rate: 10 Mbit/s, delay: 20 ms }
              downlink: { rate: 10 Mbit/s, delay: 20 ms }
            files: { a.mov: 400 kB, b.mov: 1 MB }
            \(list("queue", queue))\(list("app", rules))\(list("timeline", timeline))\
            \(list("expect", expect))
            """
    }

    private func complaints(_ text: String) -> String {
        do throws(ScenarioError) {
            _ = try Scenario.read(text: text, path: "x.yaml")
            return "none"
        } catch { return error.description }
    }

    @Test func `an entry of the queue says what can be added, and has no upload`() throws {
        let scenario = try Scenario.read(text: Self.text(), path: "x.yaml")
        let paths = [
            PlannedPath(source: "a.mov", destination: "in/a.mov"),
            PlannedPath(source: "b.mov", destination: "in/b.mov"),
        ]
        #expect(scenario.sessions == [PlannedSession(.paths(paths, isDownload: false))])
        let other = scenario.device.apps[1]
        #expect(
            other.sessions == [
                PlannedSession(
                    .paths(
                        [PlannedPath(source: "c.bin", destination: "in/c.bin")], isDownload: false),
                    limits: .noCellular)
            ])
        #expect(
            other.app.rules == [.init(.canAcceptPaths(ItemName(1)), .addPath(1, path: nil))])
        for sentence in [
            "Session 1 is persistent; what can be added is a.mov (400 kB) to in/a.mov, b.mov "
                + "(1 MB) to in/b.mov.",
            "Session 2, of “backup”, is persistent; what can be added is c.bin to in/c.bin.",
            "When session 2 can accept paths, “backup” adds all of its files to session 2.",
        ] { #expect(scenario.sentences.contains(sentence), "\(sentence)") }
    }

    @Test func `rules and the timeline add its files by their names, or all of them`() throws {
        let text = Self.text(
            rules: ["on session 1 can accept paths: add b.mov to session 1"],
            timeline: [
                "2 s: a.mov is added to session 1", "3 s: all files are added to session 2",
                "1 s after session 1 can accept paths: c.bin is added to session 2",
            ],
            expect: [
                "session 1 connects once", "session 1 gives up a file never",
                "session 1 is told can accept paths at least once", "in/c.bin is published once",
            ])
        let scenario = try Scenario.read(text: text, path: "x.yaml")
        #expect(
            scenario.app.rules == [.init(.canAcceptPaths(ItemName(1)), .addPath(1, path: 2))])
        let plan = scenario.plan()
        #expect(
            plan.timeline.map(\.action) == [
                .asks(.addPath(1, path: 1)), .asks(.addPath(2, path: nil)),
                .asks(.addPath(2, path: 1)),
            ])
        let (app, command) = AppRoll(plan).owner(of: .addPath(2, path: 1))
        #expect(app == 1)
        #expect(command == .addPath(1, path: 1))
        for sentence in [
            "At 2 s the user adds a.mov to session 1.",
            "At 3 s the user adds all of its files to session 2.",
            "When session 1 can accept paths, the app adds b.mov to session 1.",
        ] { #expect(scenario.sentences.contains(sentence), "\(sentence)") }
    }

    static let mistakes: [(text: String, complaint: String)] = [
        (
            text(queue: ["{ persistent: { a.mov: in/a.mov }, upload: a.mov, to: in/a.mov }"]),
            "“upload” and “persistent” in one session"
        ),
        (text(queue: ["network: wifi only"]), "an entry of the queue needs the key “upload”"),
        (text(queue: ["persistent: yes"]), "a single value where a mapping"),
        (text(queue: ["persistent: { d.mov: in/d.mov }"]), "there is no file “d.mov”"),
        (text(queue: ["persistent: { a.mov: ../a.mov }"]), "the docroot"),
        (
            text(timeline: ["1 s: c.bin is added to session 1"]),
            "“c.bin” cannot be added to session 1"
        ),
        (
            text(
                queue: ["{ upload: a.mov, to: in/a.mov }"],
                timeline: ["1 s: a.mov is added to session 1"]), "session 1 is not persistent"
        ),
        (text(timeline: ["1 s: a.mov is added to session 3"]), "there is no session 3"),
        (
            text(rules: ["on session 2 can accept paths: add a.mov to session 1"]),
            "there is no session 2"
        ),
        (
            text(rules: ["on launch: add a.mov to session 1"]),
            "at a launch the app does not yet know what is in its queue"
        ),
        (
            text(rules: ["on session 1 can accept paths: enqueue session 1"]),
            "session 1 would be added each time"
        ),
    ]

    @Test(arguments: mistakes) func `what is no such thing is told with its place`(
        text: String, complaint: String
    ) {
        #expect(complaints(text).contains(complaint), "\(complaints(text))")
    }
}
