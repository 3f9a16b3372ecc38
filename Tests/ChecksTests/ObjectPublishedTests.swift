import Checks
import RunLog
import Testing

@Suite struct ObjectPublishedTests {
    private let published = SmallLog.published([])
    private let elsewhere = RunEvent.Fact.server(
        .published(SmallLog.upload, object: "elsewhere", version: 1, []))

    @Test func `as many publications as asked for hold`() {
        #expect(judge(times: 1, [published, elsewhere, SmallLog.runEnds]) == .held)
        #expect(judge(times: 0, [elsewhere, SmallLog.runEnds]) == .held)
    }

    @Test func `a log that stops before the end is not applicable`() {
        #expect(
            judge(times: 1, [])
                == .notApplicable(because: "the log stops before the run's end"))
    }

    @Test func `one publication too many falls there`() {
        #expect(
            judge(times: 1, [published, published, SmallLog.runEnds])
                == broken(
                    at: 1, expected: "in/video.mov is published once",
                    seen: "it is published 2 times"))
    }

    @Test func `one publication too few falls at the end`() {
        #expect(
            judge(times: 1, [elsewhere, SmallLog.runEnds])
                == broken(
                    at: 1, expected: "in/video.mov is published once",
                    seen: "it is published never"))
    }

    private func judge(times: Int, _ facts: [RunEvent.Fact]) -> Verdict.Answer {
        let plan = ExpectationPlan.objectPublished("in/video.mov", times: times)
        return answer(of: plan.check(words: "published", place: "a.yaml:1:1"), to: facts)
    }
}
