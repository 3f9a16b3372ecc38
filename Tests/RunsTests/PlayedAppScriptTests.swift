import Quantities
import Reports
import RunLog
import Scenario
import Testing

@testable import Runs

/// What an app does when it hears of something, played in the virtual world.
@Suite struct PlayedAppScriptTests {
    private func play(_ app: String, timeline: String = "", faults: String = "") throws -> PlayedRun
    {
        let text = """
            name: an app
            why: an app adds what it has when it hears of something
            links:
              uplink: { rate: 10 Mbit/s, delay: 20 ms }
              downlink: { rate: 10 Mbit/s, delay: 20 ms }
            files: { a.mov: 400 kB, b.mov: 200 kB }
            queue:
              - { upload: a.mov, to: in/a.mov }
              - { upload: b.mov, to: in/b.mov }
            limit: 2 min
            \(app)
            \(timeline)
            \(faults)
            """
        return try PlayedRun(Scenario.read(text: text, path: "app.yaml"))
    }

    private func accepted(_ events: [RunEvent]) -> [Instant] {
        events.compactMap { event in
            if case .engine(.accepts) = event.fact { event.at } else { nil }
        }
    }

    @Test func `a session is added when the one before it has completed`() throws {
        let run = try play("app: [on completed session 1: enqueue session 2]")
        let events = try run.events()
        let completed = try #require(
            events.first {
                if case .queue(.callback(_, .didDeactivate(.completed))) = $0.fact {
                    true
                } else {
                    false
                }
            })
        let times = accepted(events)
        #expect(times.count == 2 && times[0] < completed.at && times[1] >= completed.at)
        #expect(run.model.judgement.isGreen && run.model.figures.completed == 2)
    }

    @Test func `one that is added for a failure is not missed where there is none`() throws {
        let fine = try play("app: [on failed session 1: enqueue session 2]")
        #expect(fine.model.judgement.isGreen && fine.model.figures.completed == 1)
        let failing = try play(
            "app: [on failed session 1: enqueue session 2]",
            faults: "server: { faults: { no: { do: answer 403, path: '*', times: 1 } } }")
        #expect(failing.model.figures.completed == 1, "\(failing.model.judgement)")
        #expect(accepted(try failing.events()).count == 2)
    }

    @Test func `a queue that is not started is passive until a launch starts it`() throws {
        let run = try play(
            "app: [on launch: do not start, on launch 2: start queue]",
            timeline: "timeline: [9 s: app killed, 10 s: app launched]")
        let events = try run.events()
        let first = try #require(
            events.first { if case .connection(.opening) = $0.fact { true } else { false } })
        #expect(first.at >= .start + .seconds(10))
        #expect(run.model.judgement.isGreen && run.model.figures.completed == 2)
    }
}
