import Checks
import RunLog
import Testing

@Suite struct HappensTests {
    private let twice = [
        SmallLog.accepted(), SmallLog.resumes(at: 10), SmallLog.resumes(at: 20), SmallLog.runEnds,
    ]

    @Test func `as many resumes as asked for hold`() {
        #expect(judge(.exactly(2), twice) == .held)
        #expect(judge(.atLeast(1), twice) == .held)
        #expect(judge(.exactly(0), [SmallLog.accepted(), SmallLog.runEnds]) == .held)
    }

    @Test func `a log that stops before the end is not applicable`() {
        let because = "the log ends before the run does"
        #expect(judge(.exactly(1), []) == .notApplicable(because: because))
    }

    @Test func `one resume too many falls there`() {
        #expect(
            judge(.exactly(1), twice)
                == broken(
                    at: 2, expected: "session 1 resumes once", seen: "session 1 resumes 2 times"))
        #expect(
            judge(.exactly(0), twice)
                == broken(
                    at: 1, expected: "session 1 resumes never", seen: "session 1 resumes once"))
    }

    @Test func `one resume too few falls at the end`() {
        #expect(
            judge(.atLeast(3), twice)
                == broken(
                    at: 3, expected: "session 1 resumes at least 3 times",
                    seen: "session 1 resumes 2 times"))
        #expect(
            judge(.exactly(3), twice)
                == broken(
                    at: 3, expected: "session 1 resumes 3 times", seen: "session 1 resumes 2 times")
        )
    }

    @Test func `an attempt that was interrupted and goes on is one retry`() {
        let attempts = [1, 2, 2, 3].map {
            RunEvent.Fact.engine(.attempt(ItemName(1), number: $0))
        }
        let plan = ExpectationPlan.happens(.retry(ItemName(1)), .exactly(2))
        let log = [SmallLog.accepted()] + attempts + [SmallLog.runEnds]
        #expect(answer(of: plan.check(words: "is tried again", place: ""), to: log) == .held)
    }

    @Test func `resumes of another session's transfers do not count`() {
        let log = [
            SmallLog.accepted(1), SmallLog.accepted(2), SmallLog.resumes(at: 10), SmallLog.runEnds,
        ]
        let plan = ExpectationPlan.happens(.resume(ItemName(2)), .atLeast(1))
        #expect(
            answer(of: plan.check(words: "resumes", place: "a.yaml:1:1"), to: log)
                == broken(
                    at: 3, expected: "session 2 resumes at least once",
                    seen: "session 2 resumes never"))
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
        judge(.resume(ItemName(1)), times, facts)
    }

    @Test func `an object is published as often as asked for`() {
        let published = Happening.publication("in/video.mov")
        let elsewhere = RunEvent.Fact.server(
            .published(SmallLog.upload, object: "elsewhere", version: 1, []))
        let once = SmallLog.published([])
        #expect(judge(published, .exactly(1), [once, elsewhere, SmallLog.runEnds]) == .held)
        #expect(judge(published, .exactly(0), [elsewhere, SmallLog.runEnds]) == .held)
        #expect(
            judge(published, .exactly(1), [once, once, SmallLog.runEnds])
                == broken(
                    at: 1, expected: "in/video.mov is published once",
                    seen: "in/video.mov is published 2 times"))
        #expect(
            judge(published, .atLeast(1), [elsewhere, SmallLog.runEnds])
                == broken(
                    at: 1, expected: "in/video.mov is published at least once",
                    seen: "in/video.mov is published never"))
    }

    @Test func `at most means no more`() {
        #expect(judge(.atMost(2), twice) == .held)
        #expect(
            judge(.atMost(1), twice)
                == broken(
                    at: 2, expected: "session 1 resumes at most once",
                    seen: "session 1 resumes 2 times"))
    }

    /// Happenings, each with a log in which it happens only at the last event.
    static let firsts: [(Happening, [RunEvent.Fact])] = [
        (.resume(nil), [SmallLog.accepted(), SmallLog.resumes(at: 10)]),
        (
            .startOver(nil),
            [SmallLog.accepted(), .engine(.startsOver(TransferName(1), because: "it has to"))]
        ),
        (
            .retry(nil),
            [
                .engine(.attempt(ItemName(1), number: 1)),
                .engine(.attempt(ItemName(1), number: 2)),
            ]
        ),
        (.failure(nil), [SmallLog.stage(.running, .retrying), SmallLog.stage(.running, .failed)]),
        (
            .callback(ItemName(1), .didActivate),
            [
                SmallLog.told(2, .didActivate), SmallLog.told(.willActivate),
                SmallLog.told(.didActivate),
            ]
        ),
        (
            .stopByExpiry(nil),
            [
                SmallLog.told(.didDeactivate(.completed)),
                SmallLog.told(.didDeactivate(.stopped(by: .expiry))),
            ]
        ),
        (
            .answer(416),
            [409, 416].map { .connection(.response(SmallLog.connection, status: $0)) }
        ),
        (
            .race,
            [
                SmallLog.created(), SmallLog.published([]),
                SmallLog.created(ResourceName("/tus/2")), SmallLog.created(ResourceName("/tus/3")),
            ]
        ),
        (
            .suspension,
            [
                .device(.appEntered(launch: 1, stage: .background, because: "home")),
                .device(.appEntered(launch: 1, stage: .suspended, because: "home")),
            ]
        ),
        (.kill, [SmallLog.launched, SmallLog.killed]),
    ]

    @Test(arguments: firsts)
    func `each happening is seen where it happens`(
        happening: Happening, facts: [RunEvent.Fact]
    ) {
        #expect(judge(happening, .exactly(1), facts + [SmallLog.runEnds]) == .held)
        guard case .broken(let breach) = judge(happening, .exactly(0), facts) else {
            Issue.record("\(happening.words): not seen")
            return
        }
        #expect(breach.event == facts.count - 1)
    }

    private func judge(
        _ happening: Happening, _ times: ExpectationPlan.Times, _ facts: [RunEvent.Fact]
    ) -> Verdict.Answer {
        let plan = ExpectationPlan.happens(happening, times)
        return answer(of: plan.check(words: "it happens", place: "a.yaml:1:1"), to: facts)
    }
}
