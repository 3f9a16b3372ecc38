import Content
import Quantities
import Reports
import RunLog
import Scenario
import Testing

@testable import Runs

/// Apps beside the first that have scripts of their own, and files that change.
@Suite struct PlayedAppsTests {
    private static func play(_ app: String, _ timeline: String) throws -> PlayedRun {
        let text = """
            name: two apps
            why: each app has a script of its own
            device:
              os: ios-17
              apps:
                backup:
                  files: { b.mov: 400 kB, c.mov: 200 kB }
                  queue: [{ upload: b.mov, to: in/b.mov }, { upload: c.mov, to: in/c.mov }]
                  app: [\(app)]
            links:
              uplink: { rate: 10 Mbit/s, delay: 20 ms }
              downlink: { rate: 10 Mbit/s, delay: 20 ms }
            files: { a.mov: 400 kB }
            queue: [{ upload: a.mov, to: in/a.mov }]
            limit: 2 min
            timeline: [\(timeline)]
            """
        return try PlayedRun(Scenario.read(text: text, path: "apps.yaml"))
    }

    private static func moment(
        of fact: @escaping (RunEvent) -> Bool, in events: [RunEvent]
    ) throws -> Instant { try #require(events.first { fact($0) }?.at) }

    @Test func `an app adds a session when its own has completed, and no other's`() throws {
        let run = try Self.play("on completed session 2: enqueue session 3", "90 s: app killed")
        #expect(run.model.judgement.isGreen, "\(run.model.judgement)")
        #expect(run.model.figures.completed == 3)
        let events = try run.events()
        let added = try Self.moment(
            of: {
                if case .engine(.accepts(ItemName(3), _, _)) = $0.fact { true } else { false }
            }, in: events)
        let completed = try Self.moment(
            of: {
                if case .queue(.callback(ItemName(2), .didDeactivate(.completed))) = $0.fact {
                    true
                } else {
                    false
                }
            }, in: events)
        #expect(added >= completed)
    }

    @Test func `launches are the app's own`() throws {
        let run = try Self.play(
            "on launch: do not start, on launch 2: start queue",
            "5 s: app killed, 6 s: app launched, 10 s: app backup killed, "
                + "12 s: app backup to foreground")
        #expect(run.model.judgement.isGreen, "\(run.model.judgement)")
        #expect(run.model.figures.completed == 3)
        let first = try Self.moment(
            of: {
                if case .connection(.opening) = $0.fact { $0.app == 2 } else { false }
            }, in: try run.events())
        #expect(first >= .start + .seconds(12))
    }

    @Test func `a file of another app is edited behind that app's back`() throws {
        let run = try Self.play("on launch: start queue", "200 ms: b.mov replaced by 600 kB")
        #expect(run.model.judgement.isGreen, "\(run.model.judgement)")
        let facts = try run.events().filter {
            if case .file(.stands("b.mov", _, ByteCount(600_000))) = $0.fact { true } else { false }
        }
        #expect(facts.map(\.app) == [2])
        let published = try run.events().compactMap { event in
            if case .server(.published(_, "in/b.mov", _, let ranges)) = event.fact {
                ranges
            } else {
                nil
            }
        }
        #expect(published.count == 1 && published[0].allSatisfy { $0.version.edit == 1 })
    }
}
