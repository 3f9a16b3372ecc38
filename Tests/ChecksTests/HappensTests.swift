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
                    at: 2, expected: "session 1 resumes once",
                    seen: "session 1 resumes 2 times, at 0.001 s, 0.002 s"))
        #expect(
            judge(.exactly(0), twice)
                == broken(
                    at: 1, expected: "session 1 resumes never",
                    seen: "session 1 resumes 2 times, at 0.001 s, 0.002 s"))
    }

    @Test func `all of the run is counted, with the first moments`() {
        let resumes = (1...5).map { SmallLog.resumes(at: UInt64($0)) }
        #expect(
            judge(.exactly(1), [SmallLog.accepted()] + resumes + [SmallLog.runEnds])
                == broken(
                    at: 2, expected: "session 1 resumes once",
                    seen: "session 1 resumes 5 times, at 0.001 s, 0.002 s, 0.003 s, 0.004 s and so "
                        + "on"))
    }

    @Test func `a log that stops early still shows the time that was too many`() {
        #expect(
            judge(.exactly(1), Array(twice.dropLast()))
                == broken(
                    at: 2, expected: "session 1 resumes once",
                    seen: "session 1 resumes 2 times, at 0.001 s, 0.002 s"))
    }

    @Test func `one resume too few falls at the end`() {
        #expect(
            judge(.atLeast(3), twice)
                == broken(
                    at: 3, expected: "session 1 resumes at least 3 times",
                    seen: "session 1 resumes 2 times, at 0.001 s, 0.002 s"))
        #expect(
            judge(.exactly(3), twice)
                == broken(
                    at: 3, expected: "session 1 resumes 3 times",
                    seen: "session 1 resumes 2 times, at 0.001 s, 0.002 s"))
    }

    @Test func `an attempt that was interrupted and goes on is one retry`() {
        let attempts = [1, 2, 2, 3].map {
            RunEvent.Fact.engine(.attempt(ItemName(1), number: $0))
        }
        let plan = ExpectationPlan.happens(.retry(.one(ItemName(1))), .exactly(2))
        let log = [SmallLog.accepted()] + attempts + [SmallLog.runEnds]
        #expect(answer(of: plan.check(words: "is tried again", place: ""), to: log) == .held)
    }

    @Test func `resumes of another session's transfers do not count`() {
        let log = [
            SmallLog.accepted(1), SmallLog.accepted(2), SmallLog.resumes(at: 10), SmallLog.runEnds,
        ]
        let plan = ExpectationPlan.happens(.resume(.one(ItemName(2))), .atLeast(1))
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
        judge(.resume(.one(ItemName(1))), times, facts)
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
                    seen: "in/video.mov is published 2 times, at 0 s, 0.001 s"))
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
                    seen: "session 1 resumes 2 times, at 0.001 s, 0.002 s"))
    }

    /// Happenings, each with a log in which it happens only at the last event.
    static let firsts: [(Happening, [RunEvent.Fact])] = [
        (.resume(.any(.queue)), [SmallLog.accepted(), SmallLog.resumes(at: 10)]),
        (
            .startOver(.any(.queue)),
            [SmallLog.accepted(), .engine(.startsOver(TransferName(1), because: "it has to"))]
        ),
        (
            .retry(.any(.queue)),
            [
                .engine(.attempt(ItemName(1), number: 1)),
                .engine(.attempt(ItemName(1), number: 2)),
            ]
        ),
        (
            .failure(.any(.queue)),
            [SmallLog.stage(.running, .retrying), SmallLog.stage(.running, .failed)]
        ),
        (
            .callback(ItemName(1), .didActivate),
            [
                SmallLog.told(2, .didActivate), SmallLog.told(.willActivate),
                SmallLog.told(.didActivate),
            ]
        ),
        (
            .stopByExpiry(.any(.queue)),
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
        (
            .waking,
            [.background(.handleEvents(session: "uploads")), .background(.woken)]
        ),
        (
            .tokenRefresh(.one(ItemName(2, of: .operations))),
            [
                .engine(.accepts(ItemName(2, of: .operations), index: nil, [])),
                .engine(.token(ItemName(1, of: .operations), .refreshEnded(isNew: true))),
                .engine(.token(ItemName(2, of: .operations), .refreshEnded(isNew: false))),
                .engine(.token(ItemName(2, of: .operations), .refreshEnded(isNew: true))),
            ]
        ),
        (.faultEffect("busy"), [Self.effect("full"), Self.effect("busy")]),
    ]

    private static func effect(_ fault: String, _ words: String = "it is reset") -> RunEvent.Fact {
        .server(.fault(fault, connection: nil, client: nil, request: nil, effect: words))
    }

    @Test func `a restart takes effect once, and its end is no other effect`() {
        let log = [
            Self.effect("power", "the server is down for 2 s, and what is staged is kept"),
            Self.effect("power", "the server is back, uploads found: 1"), SmallLog.runEnds,
        ]
        #expect(judge(.faultEffect("power"), .exactly(1), log) == .held)
    }

    @Test func `none means none of its kind, and says nothing where there is none`() {
        let task = RunEvent.Fact.engine(
            .moves(
                ItemName(1, of: .background), from: .running, to: .failed, because: "it times out"))
        let log = [SmallLog.accepted(), task, SmallLog.runEnds]
        #expect(judge(.failure(.any(.queue)), .exactly(0), log) == .held)
        #expect(
            judge(.failure(.any(.queue)), .exactly(0), [SmallLog.stage(.running, .failed)])
                == broken(
                    at: 0, expected: "no session fails", seen: "a session fails once, at 0 s"))
        #expect(
            judge(.failure(.any(.operations)), .exactly(0), log)
                == broken(
                    at: 2, expected: "no operation fails", seen: "no operation was ever accepted"))
        #expect(
            judge(.failure(.any(.operations)), .atLeast(1), log)
                == broken(
                    at: 2, expected: "an operation fails at least once",
                    seen: "an operation fails never"))
    }

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
