import Reports
import Scenario
import Testing

@testable import Runs

/// What a scenario may not mean: each kind of hint, and when it stays away.
@Suite struct HintKindsTests {
    private static func play(_ more: String, why: String = "why: somebody may mean it") throws
        -> ReportModel
    {
        let text = """
            name: a hint
            \(why)
            device: { os: ios-17 }
            links:
              uplink: { rate: 10 Mbit/s, delay: 20 ms }
              downlink: { rate: 10 Mbit/s, delay: 20 ms }
            files: { a.mov: 1 MB }
            limit: 2 min
            \(more)
            """
        return try SimulatedRun(Scenario.read(text: text, path: "x.yaml")).play(into: nil)
    }

    private static func hints(_ more: String) throws -> [String] { try play(more).hints ?? [] }

    private static let queue = "queue: [{ upload: a.mov, to: in/a.mov }]\n"
    private static let twoSessions =
        "queue: [{ upload: a.mov, to: in/a.mov }, { upload: a.mov, to: in/b.mov }]\n"

    @Test func `a fault that never took effect, or was never switched on`() throws {
        let faults = """
            server:
              faults:
                busy: { do: answer 503, method: LOCK }
                off: { do: answer 503, starts: off }
                head: { do: answer 503 with retry after 1 s, times: 1 }

            """
        let hints = try Self.hints(Self.queue + faults)
        #expect(
            hints == [
                "the fault “busy” never took effect", "the fault “off” was never switched on",
            ])
    }

    @Test func `a visit that never took place, unless an answer to it is wanted`() throws {
        let visits = "visits: { some: { ask: GET /dav/a }, other: { ask: GET /dav/b } }\n"
        let timeline = "timeline: [100 ms: visit some]\n"
        let hints = try Self.hints(Self.queue + visits + timeline)
        #expect(hints == ["the visit “other” never took place"])
        let judged = visits.replacing("/dav/b", with: "/dav/b, answer: 404")
        #expect(try Self.hints(Self.queue + judged + timeline) == [])
        #expect(try !Self.play(Self.queue + judged + timeline).judgement.isGreen)
    }

    @Test func `a flow that never sent, or has not sent all, unless it is measured`() throws {
        let late = "flows: { late: { from: phone, starts: 30 s } }\n"
        #expect(
            try Self.hints(Self.queue + late)
                == ["the flow “late” never sent anything: the run had ended before"])
        let long = "flows: { long: { from: server, bytes: 1 GB } }\n"
        #expect(
            try Self.hints(Self.queue + long)
                == ["“long” had not sent all of its bytes when the run ended"])
        let measured = long + "expect: [flow long reaches 8 Mbit/s]\n"
        #expect(try Self.hints(Self.queue + measured) == [])
        let short = "flows: { short: { from: phone, bytes: 100 kB } }\n"
        #expect(try Self.hints(Self.queue + short) == [])
    }

    @Test func `a command that was refused, unless an expectation speaks of refusals`() throws {
        let timeline = "timeline: [100 ms: pause session 2]\n"
        let hints = try Self.hints(Self.twoSessions + timeline)
        #expect(hints.count == 1)
        #expect(
            hints.first?.hasPrefix("“At 100 ms the user wants to pause session 2.” is refused: ")
                ?? false)
        let meant = Self.twoSessions + timeline + "expect: [the queue refuses once]\n"
        #expect(try Self.play(meant).judgement.isGreen)
        #expect(try Self.hints(meant) == [])
    }

    @Test func `an entry that changes nothing`() throws {
        let faults = "server: { faults: { busy: { do: answer 503, starts: off } } }\n"
        let hints = try Self.hints(Self.queue + faults + "timeline: [1 s: fault busy off]\n")
        #expect(
            hints == [
                "“At 1 s the fault “busy” is switched off.” changes nothing",
                "the fault “busy” was never switched on",
            ])
    }

    @Test func `an entry that came more often than once`() throws {
        let timeline = """
            timeline:
              - when session 1 at 10 %: app killed
              - when session 1 at 60 %: app killed
              - 500 ms after app killed: app launched

            """
        let hints = try Self.hints(Self.queue + timeline)
        let words =
            "“Whenever it comes to “app killed”, 500 ms later, the app is launched.” comes 2 times"
        #expect(hints.count == 1)
        #expect(hints.first?.hasPrefix("\(words), at ") ?? false, "\(hints)")
        #expect(hints.first?.hasSuffix(": “app killed” comes true that often") ?? false)
    }

    @Test func `an entry without an end that goes on long after the last session`() throws {
        let hints = try Self.hints(Self.queue + "timeline: [every 10 s: app killed]\n")
        #expect(hints.first?.contains("comes 11 times, 11 of them after the end of") ?? false)
        #expect(
            try Self.hints(
                Self.queue + "timeline: [every 200 ms from 100 ms to 400 ms: app killed]")
                == [])
    }

    @Test func `a task that completed with the status of a failure`() throws {
        let task =
            "background: [{ upload: a.mov, to: missing/folder/a.mov }]\n"
            + "server: { faults: { no folder: { do: answer 409, method: PUT } } }\n"
        #expect(
            try Self.hints(task) == [
                "task 1 has completed, but with the answer 409: 409 often means that the folder is "
                    + "missing; if that is meant, expect “task 1 is answered 409”"
            ])
        #expect(try Self.hints(task + "expect: [task 1 is answered 409]") == [])
        #expect(try Self.hints(task + "expect: [the server answers 409 once]") == [])
    }

    @Test(arguments: [
        ("", "the file does not say what it is for"),
        ("why: because", "“why: because” hardly says"),
    ]) func `a file that does not say what it is for is played`(why: String, hint: String) throws {
        let model = try Self.play(Self.queue, why: why)
        #expect(model.judgement.isGreen)
        #expect(model.hints?.count == 1)
        #expect(model.hints?.first?.hasPrefix(hint) ?? false)
    }

    @Test func `no hint is in the digest, nor changes it`() throws {
        #expect(try Self.play(Self.queue).digest == Self.play(Self.queue).digest)
        #expect(try Self.play(Self.queue).hints == nil)
    }
}
