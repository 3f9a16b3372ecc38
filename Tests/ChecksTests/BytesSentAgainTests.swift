import Checks
import Quantities
import RunLog
import Testing

@Suite struct BytesSentAgainTests {
    private let next = ConnectionName(launch: 2, number: 1)

    @Test func `going on where the first body was cut sends nothing again`() {
        let log = [
            SmallLog.created(), SmallLog.sends(from: 0, bodyAt: 30),
            SmallLog.ended(transmitted: 70), SmallLog.sends(from: 40, on: next, bodyAt: 30),
            SmallLog.ended(next, transmitted: 90),
        ]
        #expect(judge(atMost: 0, log) == .held)
    }

    @Test func `bytes that had left already count, up to the limit and beyond`() {
        let log = [
            SmallLog.created(), SmallLog.sends(from: 0, bodyAt: 30),
            SmallLog.ended(transmitted: 90), SmallLog.sends(from: 40, on: next, bodyAt: 30),
            SmallLog.ended(next, transmitted: 90),
        ]
        #expect(judge(atMost: 20, log) == .held)
        #expect(
            judge(atMost: 19, log)
                == broken(
                    at: 4, expected: "at most 19 B of the body bytes are sent again",
                    seen: "20 B were sent again until the end of connection 2.1, 1 B too many"))
    }

    @Test func `the order of the ends does not matter`() {
        let log = [
            SmallLog.created(), SmallLog.sends(from: 0, bodyAt: 30),
            SmallLog.sends(from: 40, on: next, bodyAt: 30), SmallLog.ended(next, transmitted: 90),
            SmallLog.ended(transmitted: 90),
        ]
        #expect(
            judge(atMost: 0, log)
                == broken(
                    at: 4, expected: "at most 0 B of the body bytes are sent again",
                    seen: "20 B were sent again until the end of connection 1.1, 20 B too many"))
    }

    @Test func `a connection that ends within a head has sent no body`() {
        let log = [
            SmallLog.created(), SmallLog.sends(from: 0, bodyAt: 30),
            SmallLog.ended(transmitted: 20), SmallLog.sends(from: 0, on: next, bodyAt: 30),
            SmallLog.ended(next, transmitted: 130),
        ]
        #expect(judge(atMost: 0, log) == .held)
    }

    @Test func `requests behind a body, and the heads between two bodies, do not count`() {
        let log = [
            SmallLog.created(), SmallLog.sends(from: 0, bodyAt: 30),
            SmallLog.sends(from: 40, bodyAt: 100), SmallLog.ended(transmitted: 500),
        ]
        #expect(judge(atMost: 0, log) == .held)
    }

    @Test func `a start over counts each byte that leaves again`() {
        let log = [
            SmallLog.created(), SmallLog.sends(from: 0, bodyAt: 30),
            SmallLog.ended(transmitted: 130), SmallLog.sends(from: 0, on: next, bodyAt: 30),
            SmallLog.ended(next, transmitted: 130),
        ]
        #expect(
            judge(atMost: 99, log)
                == broken(
                    at: 4, expected: "at most 99 B of the body bytes are sent again",
                    seen: "100 B were sent again until the end of connection 2.1, 1 B too many"))
    }

    @Test func `what bridges two pieces counts where it covers them, and joins them`() {
        let third = ConnectionName(launch: 3, number: 1)
        let fourth = ConnectionName(launch: 4, number: 1)
        let log = [
            SmallLog.created(), SmallLog.sends(from: 0), SmallLog.ended(transmitted: 40),
            SmallLog.sends(from: 60, on: next), SmallLog.ended(next, transmitted: 40),
            SmallLog.sends(from: 20, on: third), SmallLog.ended(third, transmitted: 60),
            SmallLog.sends(from: 0, on: fourth), SmallLog.ended(fourth, transmitted: 100),
        ]
        #expect(judge(atMost: 140, log) == .held)
        #expect(
            judge(atMost: 139, log)
                == broken(
                    at: 8, expected: "at most 139 B of the body bytes are sent again",
                    seen: "140 B were sent again until the end of connection 4.1, 1 B too many"))
    }

    @Test func `without a body, or with a connection whose end is missing, it is not applicable`() {
        #expect(judge(atMost: 0, []) == .notApplicable(because: "no body was sent"))
        #expect(
            judge(atMost: 0, [SmallLog.sends(from: 0)])
                == .notApplicable(
                    because:
                        "connection 1.1 carried a body, but the end of the connection is not in "
                        + "the log"
                ))
    }

    private func judge(atMost limit: UInt64, _ facts: [RunEvent.Fact]) -> Verdict.Answer {
        let plan = ExpectationPlan.sentAgain(.atMost(ByteCount(limit)))
        return answer(of: plan.check(words: "little again", place: "a.yaml:1:1"), to: facts)
    }
}
