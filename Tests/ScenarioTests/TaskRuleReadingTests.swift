import Quantities
import RunLog
import RunPlan
import Scenario
import Testing

/// What an app does with its tasks when it hears of something, and what its user has it do.
@Suite struct TaskRuleReadingTests {
    private static func text(
        _ rules: [String], timeline: [String] = ["1 s: app killed"]
    ) -> String {
        let app = rules.isEmpty ? "" : "app:\n" + rules.map { "  - \($0)\n" }.joined()
        return """
            name: tasks
            why: an app makes its tasks when it hears of something
            device:
              os: ios-17
              apps:
                backup:
                  files: { b.bin: 1 MB }
                  background:
                    - { upload: b.bin, to: b.bin }
                    - { upload: b.bin, to: c.bin }
                  app:
                    - on completed task 4: make task 5
            links:
              uplink: { rate: 10 Mbit/s, delay: 20 ms }
              downlink: { rate: 10 Mbit/s, delay: 20 ms }
            files: { a.mov: 400 kB }
            queue:
              - { upload: a.mov, to: in/a.mov }
            background:
              - { upload: a.mov, to: a.mov }
              - { download: a.mov }
              - { upload: a.mov, to: d.mov }
            \(app)timeline:
            \(timeline.map { "  - \($0)" }.joined(separator: "\n"))
            """
    }

    private func task(_ number: UInt64) -> ItemName { ItemName(number, of: .background) }

    @Test func `rules speak of tasks by the file's numbers, and an app counts its own`() throws {
        let rules = [
            "on launch 2: make task 2", "on downloaded task 2: enqueue session 1",
            "on woken: resume task 3", "on failed task 1: cancel task 3",
            "on launch: suspend task 1",
        ]
        let scenario = try Scenario.read(text: Self.text(rules), path: "x.yaml")
        #expect(
            scenario.app.rules
                == [
                    .init(.launch(2), .item(.begin, ItemName(2, of: .background))),
                    .init(.downloaded(task(2)), .item(.begin, ItemName(1))),
                    .init(.woken, .item(.resume, ItemName(3, of: .background))),
                    .init(.failed(task(1)), .item(.cancel, ItemName(3, of: .background))),
                    .init(.launch(nil), .item(.suspend, ItemName(1, of: .background))),
                ])
        #expect(scenario.app.later(.background) == [2] && scenario.app.later(.queue) == [1])
        #expect(
            scenario.device.apps[1].app.rules
                == [.init(.completed(task(1)), .item(.begin, ItemName(2, of: .background)))])
        for sentence in [
            "At launch 2 the app makes task 2.",
            "When task 2 has brought its file, the app adds session 1.",
            "When the system runs it in the background for a session, the app resumes task 3.",
            "When task 4 has completed, “backup” makes task 5.",
        ] { #expect(scenario.sentences.contains(sentence), "\(sentence)") }
    }

    @Test func `an app has its manners, and says so`() throws {
        let rules = [
            "on woken: call the handler twice", "on downloaded task 2: move it to a b/c.mov",
            "on downloaded task 2: move it to d.mov too late",
            "on downloaded task 2: copy it to e.mov", "on launch: make sessions 3 s late",
            "on launch: make sessions twice", "on launch: ask for time twice",
            "on launch: ask for time when it is up",
        ]
        let scenario = try Scenario.read(text: Self.text(rules), path: "x.yaml")
        var manners = AppManners()
        manners.handlerCalls = 2
        manners.keepings = [
            .init(2, .moved, to: "a b/c.mov"), .init(2, .movedTooLate, to: "d.mov"),
            .init(2, .copied, to: "e.mov"),
        ]
        manners.sessionsAreLateBy = .seconds(3)
        manners.makesSessionsTwice = true
        manners.asksForTimeTwice = true
        manners.asksForMoreTime = true
        #expect(scenario.app.manners == manners && scenario.app.rules.isEmpty)
        for sentence in [
            "When the events of a session have ended, the app calls the handler twice.",
            "When task 2 has brought its file, the app moves it to a b/c.mov.",
            "At each launch the app makes its background sessions 3 s late.",
            "With each background task of its engine, the app begins one of its own.",
            "When its background time is up, the app begins another background task.",
        ] { #expect(scenario.sentences.contains(sentence), "\(sentence)") }
    }

    @Test func `what the timeline makes is not made at the launch, whosever it is`() throws {
        let timeline = ["2 s: task 1 is made", "when task 1 completes: task 4 is made"]
        let scenario = try Scenario.read(
            text: Self.text([], timeline: timeline), path: "x.yaml")
        #expect(
            scenario.plan().timeline.map(\.action) == [
                .asks(.item(.begin, ItemName(1, of: .background))),
                .asks(.item(.begin, ItemName(4, of: .background))),
            ])
        #expect(
            AppRoll(scenario.plan()).entries.map { $0.plan.app.later(.background) } == [
                [1], [1, 2],
            ])
    }

    typealias Slip = (rules: [String], timeline: [String], message: String)

    static let slips: [Slip] = [
        (["on completed task 4: start queue"], [], "there is no task 4"),
        (["on completed task 1: make task 5"], [], "there is no task 5"),
        (["on downloaded task 1: start queue"], [], "task 1 downloads nothing"),
        (["on launch: make task 1"], [], "task 1 would be made each time"),
        (["on woken: make task 1"], [], "task 1 would be made each time"),
        (["on woken: enqueue session 1"], [], "session 1 would be added each time"),
        (["on woken: do not start"], [], "nothing is being started then"),
        (["on completed task 2: make task 1"], [], "task 1 would wait for task 2"),
        (["on failed task 2: make task 2"], [], "task 2 would wait for task 2"),
        (
            ["on completed task 1: make task 2", "on failed task 1: make task 2"], [],
            "task 2 is made twice"
        ),
        (
            ["on completed task 1: make task 2"], ["9 s: task 2 is made"],
            "task 2 is made more than once"
        ),
        ([], ["9 s: task 5 is made"], "task 5 is made more than once"),
        ([], ["every 10 s: task 1 is made"], "task 1 is made more than once"),
        (
            [], ["whenever task 2 completes: task 1 is made"], "task 1 is made more than once"
        ),
        (
            [], ["8 s: task 1 is made", "9 s: task 1 is made"], "task 1 is made more than once"
        ),
        ([], ["8 s: task 6 is made"], "there is no task 6"),
        (["on launch: do not call the handler"], [], "the app has no completion handler then"),
        (["on completed task 2: move it to b.mov"], [], "there is no downloaded file then"),
        (["on launch 2: make sessions 3 s late"], [], "sessions are made at every launch"),
        (["on launch: make sessions 2 h late"], [], "2 h late is out of range"),
        (
            ["on downloaded task 2: move it to ../b.mov"], [],
            "“../b.mov” leaves the app's container"
        ),
        (
            ["on downloaded task 2: copy it to a.mov"], [],
            "the app already has a file “a.mov”"
        ),
    ]

    @Test func `what is made so long after an event is made the first time`() throws {
        let text = Self.text(
            [],
            timeline: [
                "3 s after task 2 completes: task 1 is made", "3 s after app killed: app launched",
            ])
        let scenario = try Scenario.read(text: text, path: "x.yaml")
        let times = scenario.timeline.compactMap { entry -> ScheduledEntry.Occurrence? in
            if case .when(_, .seconds(3), let times) = entry.occasion { times } else { nil }
        }
        #expect(times == [.first, .each])
    }

    @Test(arguments: slips)
    func `a mistake in a rule about tasks has its words`(slip: Slip) {
        let text = Self.text(
            slip.rules, timeline: slip.timeline.isEmpty ? ["1 s: app killed"] : slip.timeline)
        #expect(ValidScenario.diagnostics(of: text).map(\.message) == [slip.message])
    }
}
