import Checks
import RunLog
import Testing

@Suite struct SessionResumesTests {
    private let twice = [
        SmallLog.accepted(), SmallLog.resumes(at: 10), SmallLog.resumes(at: 20), SmallLog.runEnds,
    ]

    @Test func `as many resumes as asked for hold`() {
        #expect(judge(.exactly(2), twice) == .held)
        #expect(judge(.atLeast(1), twice) == .held)
        #expect(judge(.exactly(0), [SmallLog.accepted(), SmallLog.runEnds]) == .held)
    }

    @Test func `a log that stops before the end is not applicable`() {
        let because = "the log stops before the run's end"
        #expect(judge(.exactly(1), []) == .notApplicable(because: because))
    }

    @Test func `one resume too many falls there`() {
        #expect(
            judge(.exactly(1), twice)
                == broken(at: 2, expected: "session 1 resumes once", seen: "it resumes 2 times"))
        #expect(
            judge(.exactly(0), twice)
                == broken(at: 1, expected: "session 1 resumes never", seen: "it resumes once"))
    }

    @Test func `one resume too few falls at the end`() {
        #expect(
            judge(.atLeast(3), twice)
                == broken(
                    at: 3, expected: "session 1 resumes at least 3 times",
                    seen: "it resumes 2 times"))
        #expect(
            judge(.exactly(3), twice)
                == broken(
                    at: 3, expected: "session 1 resumes 3 times", seen: "it resumes 2 times"))
    }

    @Test func `resumes of another session's transfers do not count`() {
        let log = [
            SmallLog.accepted(1), SmallLog.accepted(2), SmallLog.resumes(at: 10), SmallLog.runEnds,
        ]
        let plan = ExpectationPlan.sessionResumes(SessionName(2), .atLeast(1))
        #expect(
            answer(of: plan.check(words: "resumes", place: "a.yaml:1:1"), to: log)
                == broken(
                    at: 3, expected: "session 2 resumes at least once", seen: "it resumes never"))
    }

    @Test func `a session that was never accepted falls`() {
        #expect(
            judge(.exactly(1), [SmallLog.runEnds])
                == broken(
                    at: 0, expected: "session 1 resumes once", seen: "session 1 was never accepted")
        )
    }

    private func judge(
        _ times: ExpectationPlan.Times, _ facts: [RunEvent.Fact]
    ) -> Verdict.Answer {
        let plan = ExpectationPlan.sessionResumes(SessionName(1), times)
        return answer(of: plan.check(words: "resumes", place: "a.yaml:1:1"), to: facts)
    }
}
