import RunLog
import RunPlan
import Scenario
import Testing

/// The key `app`: what the app does when it hears of something.
@Suite struct AppReadingTests {
    private static let two = """
        queue:
          - { upload: video.mov, to: incoming/a.mov }
          - { upload: video.mov, to: incoming/b.mov }
          - { upload: video.mov, to: incoming/c.mov }
        """

    private static func text(_ entries: [String]) -> String {
        let app = "app:\n" + entries.map { "  - \($0)\n" }.joined()
        return ValidScenario.text.replacing(
            """
            queue:
              - upload: video.mov
                to: incoming/video.mov

            """, with: two + "\n" + app
        ).replacing("  - incoming/video.mov is published once\n", with: "")
    }

    @Test func `it says when the queue is started, and what is added later`() throws {
        let scenario = try Scenario.read(
            text: Self.text([
                "on launch: do not start", "on launch 2: start queue",
                "on completed session 1: enqueue session 2",
                "on failed session 2: enqueue session 3",
            ]), path: "x.yaml")
        #expect(
            scenario.app
                == AppPlan([
                    .init(.launch(nil), .doNotStart), .init(.launch(2), .start),
                    .init(.completed(ItemName(1)), .item(.begin, ItemName(2))),
                    .init(.failed(ItemName(2)), .item(.begin, ItemName(3))),
                ]))
        #expect(scenario.sessionsAtLaunch == 1)
        #expect(scenario.sentences.contains("At launch 2 the app starts the queue."))
        #expect(
            scenario.sentences.contains("When session 1 has completed, the app adds session 2."))
    }

    typealias Row = (entries: [String], at: String, message: String)
    static let rows: [Row] = [
        (["on start: start queue"], "16:5", "“on start” is not something that an app is told"),
        (["on launch: drop queue"], "16:16", "“drop queue” is not something that an app can do"),
        (
            ["on launch: stop queue"], "16:16",
            "at a launch the app does not yet know what is in its queue"
        ),
        (["on completed session 1: pause session 9"], "16:43", "there is no session 9"),
        (["on launch 0: do not start"], "16:15", "there is no launch 0"),
        (["on failed session 4: start queue"], "16:23", "there is no session 4"),
        (["on completed session 1: do not start"], "16:29", "nothing is being started then"),
        (["on launch: enqueue session 3"], "16:16", "session 3 would be added at a launch"),
        (
            ["on completed session 3: enqueue session 3"], "16:29",
            "session 3 would wait for session 3"
        ),
        (
            [
                "on completed session 1: enqueue session 3",
                "on failed session 1: enqueue session 3",
            ],
            "17:26", "session 3 is added twice"
        ),
        (
            ["on completed session 1: enqueue session 2"], "16:3",
            "session 3 is added at launch, before session 2"
        ),
        (["on launch: start queue\n    on launch 2: start queue"], "16:5", "2 entries in one"),
    ]

    @Test(arguments: rows)
    func `a mistake in what the app does has its place and its words`(row: Row) {
        let seen = ValidScenario.diagnostics(of: Self.text(row.entries))
        #expect(
            seen.map { "\($0.line):\($0.column) \($0.message)" } == ["\(row.at) \(row.message)"])
    }
}
