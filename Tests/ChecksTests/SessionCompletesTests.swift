import Checks
import Quantities
import RunLog
import Testing

@Suite struct SessionCompletesTests {
    private let expected = "session 1 completes within 2 ms of the run's start"

    @Test func `completing in time holds, by either word of it`() {
        let told = SmallLog.told(.didDeactivate(.completed))
        let stage = SmallLog.stage(.running, .completed)
        #expect(judge([SmallLog.accepted(), told, stage, SmallLog.runEnds]) == .held)
        #expect(judge([SmallLog.accepted(), .queue(.started), stage, SmallLog.runEnds]) == .held)
        #expect(judge([SmallLog.accepted(), .queue(.started), told, SmallLog.runEnds]) == .held)
    }

    @Test func `a log that stops before the end is not applicable`() {
        let because = "the log ends before the run does"
        #expect(judge([]) == .notApplicable(because: because))
        #expect(judge([SmallLog.accepted()]) == .notApplicable(because: because))
    }

    @Test func `completing too late falls there`() {
        let log = [
            SmallLog.accepted(), .queue(.started), .queue(.started),
            SmallLog.told(.didDeactivate(.completed)), SmallLog.runEnds,
        ]
        let seen = "session 1 completes 0.003 s after the run's start"
        #expect(judge(log) == broken(at: 3, expected: expected, seen: seen))
    }

    @Test func `failing, or another session's completion, is not completing`() {
        let log = [
            SmallLog.accepted(1), SmallLog.stage(1, .running, .failed),
            SmallLog.stage(2, .running, .completed), SmallLog.runEnds,
        ]
        #expect(
            judge(log)
                == broken(
                    at: 3, expected: expected,
                    seen: "session 1 is failed when the run ends, at 0.003 s"))
    }

    @Test func `a session that was never accepted falls`() {
        #expect(
            judge([SmallLog.runEnds])
                == broken(at: 0, expected: expected, seen: "session 1 was never accepted"))
    }

    @Test func `completing too early falls, where it is to come later`() {
        let log = [
            SmallLog.accepted(), SmallLog.told(.didDeactivate(.completed)), SmallLog.runEnds,
        ]
        let late = TimeSpan.milliseconds(2)...TimeSpan.seconds(1)
        #expect(
            judge(log, within: late)
                == broken(
                    at: 1, expected: "session 1 completes, but not before 2 ms",
                    seen: "session 1 completes 0.001 s after the run's start"))
        #expect(judge([.queue(.started)] + log, within: late) == .held)
    }

    private func judge(
        _ facts: [RunEvent.Fact],
        within window: ClosedRange<TimeSpan> = .zero...TimeSpan.milliseconds(2)
    ) -> Verdict.Answer {
        let plan = ExpectationPlan.sessionCompletes(ItemName(1), within: window)
        return answer(of: plan.check(words: "in time", place: "a.yaml:1:1"), to: facts)
    }
}
