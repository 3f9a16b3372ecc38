import Quantities
import RunLog
import RunPlan
import Scenario
import Testing

/// The key `app` of apps beside the first, and what a timeline does to their files.
@Suite struct OtherAppScriptTests {
    private static func text(_ rules: [String], timeline: String = "app killed") -> String {
        let app = rules.map { "          - \($0)\n" }.joined()
        let apps = """
            device:
              os: ios-17
              apps:
                backup: { files: { a.bin: 1 MB }, queue: [{ upload: a.bin, to: in/a.bin }] }
            devices:
              tablet:
                os: ios-16
                apps:
                  camera:
                    files: { b.bin: 2 MB }
                    queue: [{ upload: b.bin, to: in/b.bin }, { upload: b.bin, to: in/c.bin }]
                    app:
            \(app)links:

            """
        return SeveralAppsTests.text(timeline, apps)
    }

    @Test func `sessions are those of the file, and the app counts its own from 1`() throws {
        let scenario = try Scenario.read(
            text: Self.text([
                "on completed session 3: enqueue session 4", "on launch: do not start",
            ]),
            path: "x.yaml")
        let camera = scenario.otherDevices[0].plan.apps[0]
        #expect(
            camera.app
                == AppPlan([
                    .init(.completed(ItemName(1)), .item(.begin, ItemName(2))),
                    .init(.launch(nil), .doNotStart),
                ]))
        #expect(AppRoll(scenario.plan()).entries.map { $0.plan.app.rules.count } == [0, 0, 2])
        #expect(scenario.sessionCount == 4 && scenario.sessionsAtLaunch == 3)
        for sentence in [
            "When session 3 has completed, “camera” adds session 4.",
            "At each launch “camera” does not start the queue.",
        ] {
            #expect(scenario.sentences.contains(sentence))
        }
    }

    typealias Slip = (rules: [String], message: String, expected: String?)

    @Test(
        arguments: [
            (
                ["on completed session 1: enqueue session 4"], "this app has no session 1",
                "one of sessions 3 to 4"
            ),
            (
                ["on completed session 3: enqueue session 5"], "this app has no session 5",
                "one of sessions 3 to 4"
            ),
            (["on launch: enqueue session 4"], "session 4 would be added at a launch", nil),
            (
                ["on completed session 4: enqueue session 4"],
                "session 4 would wait for session 4", nil
            ),
            (
                ["on completed session 4: enqueue session 3"],
                "session 3 would wait for session 4", nil
            ),
            (
                [
                    "on failed session 3: enqueue session 4",
                    "on completed session 3: enqueue session 4",
                ],
                "session 4 is added twice", nil
            ),
        ] as [Slip])
    func `a mistake speaks of sessions by the numbers of the file`(slip: Slip) {
        let found = ValidScenario.diagnostics(of: Self.text(slip.rules))
        #expect(found.map(\.message) == [slip.message])
        if let expected = slip.expected { #expect(found.first?.expected == expected) }
    }

    @Test func `a session that is added at launch stands before those that are not`() {
        let text = Self.text(["on failed session 4: start queue"]).replacing(
            "backup: { files: { a.bin: 1 MB }, queue: [{ upload: a.bin, to: in/a.bin }] }",
            with: "backup: { files: { a.bin: 1 MB }, queue: [{ upload: a.bin, to: in/a.bin }, "
                + "{ upload: a.bin, to: in/d.bin }, { upload: a.bin, to: in/e.bin }], "
                + "app: [on completed session 2: enqueue session 3] }")
        let found = ValidScenario.diagnostics(of: text)
        #expect(
            found.map(\.message) == [
                "session 4 is added at launch, before session 3", "this app has no session 4",
            ])
    }

    @Test func `a timeline edits the files of all apps by their paths`() throws {
        let rules = ["on launch: start queue"]
        let scenario = try Scenario.read(
            text: Self.text(rules, timeline: "b.bin replaced by 3 MB"), path: "x.yaml")
        #expect(
            scenario.plan().timeline.map(\.action) == [
                .changeFile(FileChange("b.bin", .replaced(by: ByteCount(3_000_000))))
            ])
        let found = ValidScenario.diagnostics(of: Self.text(rules, timeline: "c.bin edited"))
        #expect(found.map(\.message) == ["there is no file “c.bin”"])
        #expect(found.first?.suggestion == "“a.bin”")
    }
}
