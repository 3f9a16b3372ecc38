import Checks
import RunLog
import Testing

@Suite struct QueueKeepsOrderTests {
    private let bothAccepted = [SmallLog.accepted(1), SmallLog.accepted(2)]

    @Test func `one after the other in order holds`() {
        #expect(judge(bothAccepted + activation(of: 1) + activation(of: 2)) == .held)
    }

    @Test func `a session that failed lets the next one go`() {
        let failed = SmallLog.told(1, .didDeactivate(.failed(code: 19, message: "no")))
        let log = [SmallLog.told(1, .willActivate), failed]
        #expect(judge(bothAccepted + log + activation(of: 2)) == .held)
    }

    @Test func `a session that was stopped keeps its place in the line`() {
        let stopped = SmallLog.told(1, .didDeactivate(.stopped(by: .expiry)))
        let cut = bothAccepted + [SmallLog.told(1, .willActivate), stopped]
        #expect(judge(cut + activation(of: 1) + activation(of: 2)) == .held)
        #expect(
            judge(cut + activation(of: 2))
                == broken(
                    at: 4, expected: "session 1 is activated next, as it was accepted first",
                    seen: "session 2 is activated"))
    }

    @Test func `after a kill the session that was running is first in line`() {
        let cut = bothAccepted + [SmallLog.told(1, .willActivate), SmallLog.killed]
        #expect(judge(cut + activation(of: 1) + activation(of: 2)) == .held)
        #expect(
            judge(cut + activation(of: 2))
                == broken(
                    at: 4, expected: "session 1 is activated next, as it was accepted first",
                    seen: "session 2 is activated"))
    }

    @Test func `an end that a kill kept from the app may stand or be undone`() {
        let cut =
            bothAccepted + [
                SmallLog.told(1, .willActivate), SmallLog.stage(1, .running, .completed),
                SmallLog.killed,
            ]
        #expect(judge(cut + activation(of: 1) + activation(of: 2)) == .held)
        #expect(judge(cut + activation(of: 2)) == .held)
    }

    @Test func `an end that the store has refused may be undone by a kill, and by nothing else`() {
        let refused = RunEvent.Fact.store(.failed(reason: "no space"))
        let ends = [SmallLog.told(1, .willActivate), SmallLog.stage(1, .running, .completed)]
        let told = [SmallLog.told(1, .didDeactivate(.completed))]
        let again = activation(of: 1) + activation(of: 2)
        #expect(judge(bothAccepted + ends + [refused] + told + [SmallLog.killed] + again) == .held)
        #expect(judge(bothAccepted + ends + [refused] + told + again) != .held)
        #expect(judge(bothAccepted + ends + told + [refused, SmallLog.killed] + again) != .held)
    }

    @Test func `a log without an activation is not applicable`() {
        #expect(judge([]) == .notApplicable(because: "no session was activated"))
        #expect(judge(bothAccepted) == .notApplicable(because: "no session was activated"))
    }

    @Test func `two active sessions fall`() {
        let log = [SmallLog.told(1, .willActivate), SmallLog.told(2, .willActivate)]
        #expect(
            judge(bothAccepted + log)
                == broken(
                    at: 3,
                    expected: "session 1 is deactivated before another session is activated",
                    seen: "session 2 is activated beside it"))
    }

    @Test func `overtaking a session that waits falls`() {
        #expect(
            judge(bothAccepted + activation(of: 2) + activation(of: 1))
                == broken(
                    at: 2, expected: "session 1 is activated next, as it was accepted first",
                    seen: "session 2 is activated"))
    }

    @Test func `running an ended session while another waits falls`() {
        #expect(
            judge(bothAccepted + activation(of: 1) + activation(of: 1))
                == broken(
                    at: 5, expected: "session 2 is activated next, as it was accepted first",
                    seen: "session 1 is activated"))
    }

    private func activation(of session: UInt64) -> [RunEvent.Fact] {
        [
            SmallLog.told(session, .willActivate), SmallLog.stage(session, .running, .completed),
            SmallLog.told(session, .didDeactivate(.completed)),
        ]
    }

    private func judge(_ facts: [RunEvent.Fact]) -> Verdict.Answer {
        answer(of: QueueKeepsOrder(), to: facts)
    }
}
