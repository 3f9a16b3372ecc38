import Quantities
import RunLog
import Testing

@testable import Checks

@Suite struct PerAppTests {
    @Test func `two apps may each have a session active`() {
        #expect(
            verdict([(nil, accepted(1)), (2, accepted(2)), (nil, begins(1)), (2, begins(2))])
                == .held)
    }

    @Test func `one app with two active sessions falls, and the event is counted through the log`()
    {
        let answer = verdict([
            (2, accepted(1)), (2, accepted(2)), (nil, .server(.removed(object: "o"))),
            (2, begins(1)), (2, begins(2)),
        ])
        #expect(
            answer
                == .broken(
                    Breach(
                        event: 5, at: .start + .milliseconds(5),
                        expected: "session 1 is deactivated before another session is activated",
                        seen: "session 2 is activated beside it")))
    }

    @Test func `the kill of one app is none of the other`() {
        let log: [(UInt16?, RunEvent.Fact)] = [
            (nil, accepted(1)), (2, accepted(2)), (nil, begins(1)), (2, SmallLog.killed),
            (nil, begins(1)),
        ]
        #expect(verdict(log) != .held)
        #expect(verdict(log.map { ($0.1 == SmallLog.killed ? nil : $0.0, $0.1) }) == .held)
    }

    @Test func `with one app it is that app's check`() {
        var check = PerApp(QueueKeepsOrder())
        #expect(check.verdict() == QueueKeepsOrder().verdict())
        check.read(RunEvent(at: .start, SmallLog.accepted(1)))
        check.read(RunEvent(at: .start, begins(1)))
        #expect(check.verdict() == .held)
    }

    private func accepted(_ session: UInt64) -> RunEvent.Fact { SmallLog.accepted(session) }

    private func begins(_ session: UInt64) -> RunEvent.Fact {
        SmallLog.told(session, .willActivate)
    }

    private func verdict(_ log: [(app: UInt16?, fact: RunEvent.Fact)]) -> Verdict.Answer {
        var check = PerApp(QueueKeepsOrder())
        guard case .run(.began(var beginning)) = SmallLog.begins(sessions: 2) else {
            preconditionFailure("a log begins with its beginning")
        }
        beginning.apps = 2
        check.read(RunEvent(at: .start, .run(.began(beginning))))
        for (order, entry) in log.enumerated() {
            check.read(
                RunEvent(
                    at: .start + .milliseconds(Int64(order + 1)), app: entry.app, entry.fact))
        }
        return check.verdict()
    }
}
