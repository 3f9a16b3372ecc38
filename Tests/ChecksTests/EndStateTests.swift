import Checks
import Content
import Quantities
import RunLog
import Testing

/// Expectations of the final state of a session, an object or a link.
@Suite struct EndStateTests {
    @Test func `a state is judged at its moment, what happens there included`() {
        let log = [
            SmallLog.accepted(), SmallLog.stage(.waiting, .running), .queue(.started),
            SmallLog.runEnds,
        ]
        let stands = ExpectationPlan.sessionStands(ItemName(1), .running, at: .milliseconds(1))
        #expect(judge(stands, log) == .held)
        let waits = ExpectationPlan.sessionStands(ItemName(1), .waiting, at: .milliseconds(1))
        #expect(
            judge(waits, log)
                == broken(
                    at: 1, expected: "session 1 is waiting at 1 ms",
                    seen: "it is running, since 0.001 s"))
        #expect(
            judge(waits, Array(log.prefix(2)))
                == .notApplicable(because: "the log ends before that moment"))
    }

    @Test func `a session that was running waits when its app is killed`() {
        let log = [
            SmallLog.accepted(), SmallLog.stage(.waiting, .running), SmallLog.killed,
            SmallLog.runEnds,
        ]
        #expect(judge(.sessionStands(ItemName(1), .waiting, at: nil), log) == .held)
        #expect(
            judge(.sessionStands(ItemName(2), .waiting, at: nil), log)
                == broken(
                    at: 3, expected: "session 2 is waiting at the run's end",
                    seen: "session 2 was never accepted"))
    }

    @Test func `a failure has its number and its time`() {
        let log = [
            SmallLog.accepted(),
            .engine(.fails(ItemName(1), code: 4, message: "no such file", retryIn: nil)),
            SmallLog.stage(.running, .failed), SmallLog.runEnds,
        ]
        #expect(judge(.sessionFails(ItemName(1), code: 4, within: nil), log) == .held)
        #expect(
            judge(.sessionFails(ItemName(1), code: 21, within: nil), log)
                == broken(
                    at: 2, expected: "session 1 fails with error 21",
                    seen: "session 1 fails with error 4"))
        #expect(
            judge(.sessionFails(ItemName(1), code: nil, within: .milliseconds(1)), log)
                == broken(
                    at: 2, expected: "session 1 fails within 1 ms of the run's start",
                    seen: "session 1 fails 0.002 s after the run's start"))
        let fine = [SmallLog.accepted(), SmallLog.stage(.running, .completed), SmallLog.runEnds]
        #expect(
            judge(.sessionFails(ItemName(1), code: nil, within: .seconds(1)), fine)
                == broken(
                    at: 2, expected: "session 1 fails within 1 s of the run's start",
                    seen: "session 1 is completed when the run ends"))
    }

    @Test func `callbacks come in the order that is asked for, and both come`() {
        let order = ExpectationPlan.callbackOrder(
            ItemName(1), .didActivate, before: .didStopRunning)
        let first = SmallLog.told(.didActivate)
        let second = SmallLog.told(.didStopRunning)
        let expected = "session 1 is told did activate before did stop running"
        #expect(judge(order, [first, second, first, SmallLog.runEnds]) == .held)
        #expect(
            judge(order, [second, first, SmallLog.runEnds])
                == broken(at: 0, expected: expected, seen: "did stop running comes first"))
        #expect(
            judge(order, [first, SmallLog.told(2, .didStopRunning), SmallLog.runEnds])
                == broken(at: 2, expected: expected, seen: "did stop running never comes"))
    }

    @Test func `an object holds the version that is asked for`() {
        let latest = ExpectationPlan.objectHolds("in/video.mov", source: "video.mov", version: nil)
        let first = ExpectationPlan.objectHolds("in/video.mov", source: "video.mov", version: 1)
        let log = [
            SmallLog.stands(SmallLog.first), SmallLog.stands(SmallLog.second),
            SmallLog.published([SmallLog.range(SmallLog.first, 0..<100)]), SmallLog.runEnds,
        ]
        #expect(judge(first, log) == .held)
        #expect(
            judge(latest, log)
                == broken(
                    at: 3,
                    expected: "in/video.mov holds the latest video.mov in the end: "
                        + "file 1 version 2 [0..<100]",
                    seen: "version 1 of the object holds file 1 version 1 [0..<100]"))
        #expect(
            judge(first, [SmallLog.stands(SmallLog.first), SmallLog.runEnds])
                == broken(
                    at: 1, expected: "in/video.mov holds version 1 of video.mov in the end",
                    seen: "there is no object"))
        #expect(
            judge(.objectHolds("in/video.mov", source: "video.mov", version: 3), log)
                == broken(
                    at: 3, expected: "in/video.mov holds version 3 of video.mov in the end",
                    seen: "video.mov has had only 2 versions"))
    }

    private func judge(_ plan: ExpectationPlan, _ facts: [RunEvent.Fact]) -> Verdict.Answer {
        answer(of: plan.check(words: "so it is", place: "a.yaml:1:1"), to: facts)
    }
}
