import Checks
import RunLog
import Testing

@Suite struct ConditionMetTests {
    private let met = RunEvent.Fact.run(.conditionMet("session 1 at 40 %"))
    private let other = RunEvent.Fact.run(.conditionMet("session 1 at 80 %"))

    @Test func `what has come true holds`() {
        #expect(judge([other, met, SmallLog.runEnds]) == .held)
    }

    @Test func `what never came true falls at the end`() {
        #expect(
            judge([other, SmallLog.runEnds])
                == broken(
                    at: 1, expected: "“session 1 at 40 %” happens",
                    seen: "it had not happened by the run's end"))
    }

    @Test func `a log that stops before the end is not applicable`() {
        #expect(
            judge([other]) == .notApplicable(because: "the log ends before the run does"))
    }

    private func judge(_ facts: [RunEvent.Fact]) -> Verdict.Answer {
        let plan = ExpectationPlan.conditionMet("session 1 at 40 %")
        return answer(of: plan.check(words: "it comes", place: "a.yaml:1:1"), to: facts)
    }
}
