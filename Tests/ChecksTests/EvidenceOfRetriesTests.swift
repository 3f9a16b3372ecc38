import Quantities
import RunLog
import Testing

@testable import Checks

/// Which situations decide the clauses of S10 and S12, and which do not.
@Suite struct EvidenceOfRetriesTests {
    private static let session = ItemName(1)

    private static func fails(retryIn pause: TimeSpan?) -> RunEvent.Fact {
        .engine(.fails(session, code: 39, message: "the peer ended it", retryIn: pause))
    }

    private static func attempt(_ number: Int) -> RunEvent.Fact {
        .engine(.attempt(session, number: number))
    }

    /// A first failure, at which the server asks for a pause, and the attempt after a minute.
    private static func log(asking asked: RetryAfter?) -> [RunEvent.Fact] {
        [
            attempt(1), .connection(.opening(SmallLog.connection, to: "", by: session)),
            .connection(.response(SmallLog.connection, status: 503, retryAfter: asked)),
            fails(retryIn: .seconds(2)), attempt(2),
        ]
    }

    private func decided(_ clause: String, _ log: [RunEvent.Fact]) -> Int? {
        ChecksTests.decided(
            clause, by: AttemptsKeepTheirBudget(), in: log, apart: .seconds(60))
    }

    @Test func `a Retry-After decides only if it is longer than the back-off`() {
        let seconds = "retry-after in seconds"
        #expect(decided(seconds, Self.log(asking: RetryAfter(field: "70"))) == 1)
        #expect(decided(seconds, Self.log(asking: RetryAfter(field: "60"))) == 0)
        #expect(decided(seconds, Self.log(asking: nil)) == 0)
        let long = Self.log(asking: RetryAfter(field: "70"))
        // Without another attempt, nobody knows when the engine would have begun.
        #expect(decided(seconds, long.dropLast()) == 0)
        let date = RetryAfter(
            field: "Thu, 01 Jan 2099 00:02:00 GMT", date: "Thu, 01 Jan 2099 00:00:00 GMT")
        #expect(decided("retry-after as a date", Self.log(asking: date)) == 1)
        #expect(decided(seconds, Self.log(asking: date)) == 0)
    }

    @Test func `only the failure that spends the budget decides it`() {
        let tries = (1...8).flatMap { number in
            [
                Self.attempt(number),
                Self.fails(retryIn: number == 8 ? nil : .seconds(60)),
            ]
        }
        #expect(decided("budget", tries) == 1)
        #expect(decided("budget", tries.dropLast()) == 0)
        #expect(decided("budget", [Self.attempt(1), Self.fails(retryIn: nil)]) == 0)
    }

    @Test func `progress between two failures decides that it renews nothing`() {
        func log(_ done: UInt64) -> [RunEvent.Fact] {
            [
                Self.attempt(1), SmallLog.told(SmallLog.progress(20)),
                SmallLog.told(SmallLog.progress(done)), Self.fails(retryIn: .seconds(2)),
                Self.attempt(2), Self.fails(retryIn: .seconds(4)), Self.attempt(3),
            ]
        }
        #expect(decided("progress renews nothing", log(40)) == 1)
        // A resumed attempt begins with what was there before.
        #expect(decided("progress renews nothing", log(20)) == 0)
    }

    @Test func `failures decide in the next launch that they are remembered`() {
        let failed = [Self.attempt(1), Self.fails(retryIn: .seconds(2))]
        #expect(
            decided("failures are remembered", failed + [SmallLog.killed, Self.attempt(2)]) == 1)
        #expect(decided("failures are remembered", failed + [Self.attempt(2)]) == 0)
    }

    @Test(arguments: [(-3600, "clock back"), (3600, "clock ahead")] as [(Int64, String)])
    func `a jump decides in a pause, and nowhere else`(seconds: Int64, clause: String) {
        let jump = RunEvent.Fact.device(
            .wallClockJumped(by: .seconds(seconds), wallNanoseconds: 0, because: "by hand"))
        let inPause = [Self.attempt(1), Self.fails(retryIn: .seconds(2)), jump, Self.attempt(2)]
        let before = [Self.attempt(1), jump, Self.fails(retryIn: .seconds(1)), Self.attempt(2)]
        func count(_ log: [RunEvent.Fact]) -> Int? {
            ChecksTests.decided(clause, by: TokensAndTimers(), in: log, apart: .seconds(1))
        }
        #expect(count(inPause) == 1)
        #expect(count(before) == 0)
    }
}
