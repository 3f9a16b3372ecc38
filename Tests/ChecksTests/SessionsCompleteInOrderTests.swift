import Checks
import Quantities
import RunLog
import Testing

@Suite struct SessionsCompleteInOrderTests {
    private let expected = "all sessions complete, in the order of their acceptance"

    @Test func `completing in order holds`() {
        #expect(judge([completes(1), completes(2), completes(1), SmallLog.runEnds]) == .held)
    }

    @Test func `without sessions, or without an end, it is not applicable`() {
        let check = ExpectationPlan.sessionsCompleteInOrder.check(words: "in order", place: "")
        #expect(answer(of: check, to: []) == .notApplicable(because: "no session was accepted"))
        #expect(
            judge([completes(1), completes(2)])
                == .notApplicable(because: "the log ends before the run does"))
    }

    @Test func `completing out of order falls there`() {
        let preempted = SmallLog.stage(1, .running, .preempted)
        #expect(
            judge([preempted, completes(2), completes(1), SmallLog.runEnds])
                == broken(
                    at: 3, expected: "session 1 completes next",
                    seen: "session 2 overtakes it: it completes while session 1 is preempted"))
    }

    @Test func `tasks, operations and transfers are no sessions`() {
        let others = [Facade.background, .operations, .bucket].map {
            RunEvent.Fact.engine(.accepts(ItemName(1, of: $0), index: nil, []))
        }
        #expect(judge(others + [completes(1), completes(2), SmallLog.runEnds]) == .held)
    }

    @Test func `each app has an order of its own`() {
        var check = ExpectationPlan.sessionsCompleteInOrder.check(words: "in order", place: "")
        let events: [(UInt16?, RunEvent.Fact)] = [
            (nil, SmallLog.accepted(1)), (2, SmallLog.accepted(2)), (2, completes(2)),
            (nil, completes(1)), (nil, SmallLog.runEnds),
        ]
        for (app, fact) in events { check.read(RunEvent(at: .start, app: app, fact)) }
        #expect(check.verdict() == .held)
    }

    @Test func `a session that does not complete falls`() {
        let failed = SmallLog.stage(2, .running, .failed)
        #expect(
            judge([completes(1), failed, SmallLog.runEnds])
                == broken(
                    at: 4, expected: expected, seen: "session 2 has not completed when the run ends"
                ))
    }

    private func completes(_ session: UInt64) -> RunEvent.Fact {
        SmallLog.told(session, .didDeactivate(.completed))
    }

    private func judge(_ facts: [RunEvent.Fact]) -> Verdict.Answer {
        let check = ExpectationPlan.sessionsCompleteInOrder.check(words: "in order", place: "")
        return answer(of: check, to: [SmallLog.accepted(1), SmallLog.accepted(2)] + facts)
    }
}
