import Quantities
import RunLog
import RunPlan
import Scenario
import Testing

/// The key `operations`, and what is said of upload operations elsewhere in a file.
@Suite struct OperationReadingTests {
    private static func text(
        operations: String = "- { upload: a.mov, to: in/a.mov }", rules: [String] = [],
        timeline: [String] = ["1 s: app killed"], expect: [String] = [], before: Int = 1
    ) -> String {
        func list(_ key: String, _ entries: [String]) -> String {
            entries.isEmpty ? "" : "\(key):\n" + entries.map { "  - \($0)\n" }.joined()
        }
        return """
            name: operations
            why: an app has operations beside all else
            device:
              os: ios-17
              apps:
                backup:
                  files: { b.bin: 1 MB }
                  operations:
                    - { upload: b.bin, to: in/b.bin, refreshes-token: yes }
                    - { upload: b.bin, to: in/c.bin }
                  app:
                    - on failed operation \(before + 1): retry operation \(before + 1)
            links:
              uplink: { rate: 10 Mbit/s, delay: 20 ms }
              downlink: { rate: 10 Mbit/s, delay: 20 ms }
            files: { a.mov: 400 kB }
            operations:
              \(operations)
            \(list("app", rules))\(list("timeline", timeline))\(list("expect", expect))
            """
    }

    private func operation(_ number: UInt64) -> ItemName { ItemName(number, of: .operations) }

    @Test func `an app has them without a queue, and the file counts those of all apps`() throws {
        let scenario = try Scenario.read(text: Self.text(), path: "x.yaml")
        #expect(scenario.sessions.isEmpty)
        #expect(scenario.app.operations == [PlannedOperation(source: "a.mov", to: "in/a.mov")])
        #expect(
            scenario.device.apps[1].app.operations == [
                PlannedOperation(source: "b.bin", to: "in/b.bin", refreshesToken: true),
                PlannedOperation(source: "b.bin", to: "in/c.bin"),
            ])
        #expect(
            scenario.device.apps[1].app.rules
                == [.init(.failed(operation(1)), .item(.retry, ItemName(1, of: .operations)))])
        for sentence in [
            "Operation 1 uploads a.mov to in/a.mov.",
            "Operation 2, of “backup”, uploads b.bin to in/b.bin; a token that has expired is "
                + "replaced.",
            "When operation 2 has failed, “backup” retries operation 2.",
        ] { #expect(scenario.sentences.contains(sentence), "\(sentence)") }
    }

    @Test func `rules and the timeline begin, cancel and retry them, and empty the lists`() throws {
        let text = Self.text(
            operations: """
                - { upload: a.mov, to: in/a.mov }
                  - { upload: a.mov, to: in/d.mov }
                  - { upload: a.mov, to: in/e.mov }
                """,
            rules: [
                "on completed operation 1: add operation 2",
                "on failed operation 1: empty lists of operations",
            ],
            timeline: [
                "2 s: operation 3 is added", "when operation 3 starts: operation 3 is cancelled",
                "3 s after operation 3 fails: operation 3 is retried",
                "9 s: lists of operations are emptied", "10 s: operation 5 is cancelled",
            ], before: 3)
        let scenario = try Scenario.read(text: text, path: "x.yaml")
        let roll = AppRoll(scenario.plan())
        #expect(roll.entries[0].plan.app.later(.operations) == [3, 2])
        #expect(
            scenario.plan().timeline.map(\.action) == [
                .asks(.item(.begin, ItemName(3, of: .operations))),
                .asks(.item(.cancel, ItemName(3, of: .operations))),
                .asks(.item(.retry, ItemName(3, of: .operations))), .asks(.emptyLists),
                .asks(.item(.cancel, ItemName(5, of: .operations))),
            ])
        let owner = roll.owner(of: .item(.cancel, ItemName(5, of: .operations)))
        #expect(owner.app == 1 && owner.command == .item(.cancel, ItemName(2, of: .operations)))
    }

    @Test func `the timeline waits for their progress`() throws {
        let timeline = ["when operation 1 at 40 %: app killed"]
        let scenario = try Scenario.read(text: Self.text(timeline: timeline), path: "x.yaml")
        guard case .when(let condition, _, _)? = scenario.timeline.first?.occasion else {
            Issue.record("it waits for nothing")
            return
        }
        #expect(condition.kind == .sessionHasShare(operation(1), 4000))
    }

    static let mistakes: [(text: String, message: String)] = [
        (text(operations: "- { upload: a.mov }"), "an operation needs the key “to”"),
        (text(operations: "- { upload: a.mov }"), "“to: in/video.mov”"),
        (text(operations: "- { upload: c.mov, to: in/c }"), "there is no file “c.mov”"),
        (text(operations: "[]"), "there is no operation"),
        (text(timeline: ["1 s: operation 9 is retried"]), "there is no operation 9"),
        (
            text(rules: ["on failed operation 2: retry operation 1"]),
            "there is no operation 2"
        ),
        (
            text(rules: ["on launch: add operation 1"]), "operation 1 would be added each time"
        ),
        (
            text(rules: ["on failed operation 1: add operation 1"]),
            "operation 1 would wait for operation 1"
        ),
        (
            text(timeline: ["every 10 s: operation 1 is added"]),
            "operation 1 is made more than once"
        ),
        (text(expect: ["operation 4 completes within 3 s"]), "there is no operation 4"),
    ]

    @Test(arguments: mistakes.indices) func `mistakes are named`(index: Int) {
        let (text, message) = Self.mistakes[index]
        do throws(ScenarioError) {
            _ = try Scenario.read(text: text, path: "x.yaml")
            Issue.record("it was read")
        } catch {
            #expect("\(error)".contains(message), "\(error)")
        }
    }
}
