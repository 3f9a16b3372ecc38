import Quantities
import Reports
import RunLog
import Scenario
import Testing

@testable import Runs

/// What an app does with its tasks when it hears of something, played in the virtual world.
@Suite struct PlayedTaskRulesTests {
    private func play(_ tasks: String, _ app: String, _ timeline: String) throws -> PlayedRun {
        let text = """
            name: an app and its tasks
            why: an app makes and stops its tasks when it hears of something
            device: { os: ios-17 }
            links:
              uplink: { rate: 8 Mbit/s, delay: 20 ms }
              downlink: { rate: 20 Mbit/s, delay: 20 ms }
            files: { a.mov: 4 MB, b.mov: 4 MB }
            background: \(tasks)
            app: \(app)
            timeline: \(timeline)
            limit: 2 min
            """
        return try PlayedRun(Scenario.read(text: text, path: "tasks.yaml"))
    }

    private func moments(
        _ events: [RunEvent], where isMeant: (RunEvent.Fact) -> Bool
    ) -> [Instant] {
        events.filter { isMeant($0.fact) }.map(\.at)
    }

    @Test func `what happened before a session was made is told when it is, in its order (B7)`()
        throws
    {
        let run = try play(
            "[{ upload: a.mov, to: a.mov }, { upload: b.mov, to: b.mov }]",
            "[on launch: make sessions 3 s late]", "[5 s: app killed]")
        #expect(run.model.judgement.isGreen, "\(run.model.judgement.sentence)")
        let events = try run.events()
        let announced = moments(events) {
            if case .background(.handleEvents) = $0 { true } else { false }
        }
        let told = moments(events) {
            if case .background(.callback(_, .didComplete)) = $0 { true } else { false }
        }
        let ended = moments(events) {
            if case .background(.didFinishEvents) = $0 { true } else { false }
        }
        #expect(announced.count == 1 && told.count == 2 && ended.count == 1)
        // The session is made 3 s after the launch, which the announcement follows by a moment.
        #expect(told[0] >= announced[0] + .milliseconds(2_990) && ended[0] >= told[1])
    }

    @Test func `a rule resumes, suspends and cancels tasks when another has ended`() throws {
        let run = try play(
            """
            [{ upload: a.mov, to: a.mov }, { upload: b.mov, to: b.mov },
             { upload: b.mov, to: c.mov, resumed: no }, { upload: b.mov, to: d.mov }]
            """,
            """
            [on failed task 1: cancel task 2, on failed task 1: resume task 3,
             on failed task 1: suspend task 4]
            """, "[2 s: task 1 is cancelled]")
        let outcomes = run.model.figures.tasks.map(\.outcome)
        #expect(outcomes.count == 4)
        #expect(outcomes[0]?.sentence == outcomes[1]?.sentence && outcomes[0] != .completed)
        #expect(outcomes[2] == .completed && outcomes[3] == nil)
        #expect(run.model.judgement.isGreen, "\(run.model.judgement.sentence)")
    }

    @Test func `a task is made at a moment, and not before`() throws {
        let run = try play(
            "[{ upload: a.mov, to: a.mov }, { upload: b.mov, to: b.mov }]",
            "[on launch: start queue]", "[when task 1 completes: task 2 is made]")
        let events = try run.events()
        let accepted = moments(events) {
            if case .engine(.accepts) = $0 { true } else { false }
        }
        let completed = moments(events) {
            if case .engine(.moves(_, _, .completed, _)) = $0 { true } else { false }
        }
        #expect(accepted.count == 2 && completed.count == 2)
        #expect(accepted[0] < completed[0] && accepted[1] >= completed[0])
    }
}
