import Quantities
import RunLog
import Testing

@testable import Checks

@Suite struct TokensAndTimersTests {
    @Test func `a token that is refreshed after it was rejected holds`() {
        #expect(
            judge([.used, .rejected, .refreshBegan, .refreshEnded(isNew: true), .used]) == .held)
    }

    @Test func `a token that is known to be rejected is not used`() {
        let expected = "token “operation 1” is not used again, because the server has rejected it"
        let seen = "a request uses it"
        #expect(
            judge([.used, .rejected, .used])
                == broken(at: 2, expected: expected, seen: seen))
        #expect(
            judge([.rejected, .refreshBegan, .refreshEnded(isNew: false), .used])
                == broken(at: 3, expected: expected, seen: seen))
    }

    @Test func `two refreshes at once fall`() {
        #expect(
            judge([.refreshBegan, .refreshBegan])
                == broken(
                    at: 1, expected: "one refresh of token “operation 1” at a time",
                    seen: "another begins"))
    }

    @Test(arguments: [1_999, 3_001])
    func `a timer that a jump of the clock has moved falls`(milliseconds: Int64) {
        let log = self.log(attemptAfter: .milliseconds(milliseconds))
        #expect(
            log.answer(of: TokensAndTimers())
                == log.brokenAtLast(
                    expected:
                        "session 1 is tried again at 2 s, whatever the wall clock shows",
                    seen: "it is tried again at \(Instant.start + .milliseconds(milliseconds))"))
    }

    @Test(arguments: [2_000, 3_000])
    func `a timer that does not heed the clock holds`(milliseconds: Int64) {
        let log = self.log(attemptAfter: .milliseconds(milliseconds))
        #expect(log.answer(of: TokensAndTimers()) == .held)
    }

    @Test(
        arguments: [
            .device(.appEntered(launch: 1, stage: .suspended, because: "it is behind")),
            SmallLog.killed, .device(.appCrashed(launch: 1, how: "a signal")),
            SmallLog.stage(.retrying, .waiting), SmallLog.stage(.retrying, .completed),
            SmallLog.stage(.retrying, .failed),
            .engine(.fails(ItemName(1), code: 16, message: "lost", retryIn: nil)),
            .engine(.waitsForNetwork(ItemName(1), because: "there is none")),
        ] as [RunEvent.Fact])
    func `who stands still, is gone or begins anew is late for other reasons`(
        reason: RunEvent.Fact
    ) {
        #expect(
            log(attemptAfter: .seconds(9), with: reason).answer(of: TokensAndTimers())
                == .notApplicable(because: self.reason))
    }

    @Test(
        arguments: [
            .device(.appEntered(launch: 1, stage: .background, because: "it is left")),
            SmallLog.stage(.running, .retrying), SmallLog.stage(2, .retrying, .waiting),
        ] as [RunEvent.Fact])
    func `nothing else puts a timer off`(fact: RunEvent.Fact) {
        let log = self.log(attemptAfter: .seconds(9), with: fact)
        #expect(
            log.answer(of: TokensAndTimers())
                == log.brokenAtLast(
                    expected:
                        "session 1 is tried again at 2 s, whatever the wall clock shows",
                    seen: "it is tried again at 9 s"))
    }

    @Test func `a pause that ends without a token is judged when that is told`() {
        var log = self.log(endingAfter: .seconds(2), .engine(.waitsForCredential(ItemName(1))))
        log.wait(.seconds(60))
        log.add(.engine(.attempt(ItemName(1), number: 2)))
        #expect(log.answer(of: TokensAndTimers()) == .held)
        log = self.log(endingAfter: .seconds(9), .engine(.waitsForCredential(ItemName(1))))
        #expect(
            log.answer(of: TokensAndTimers())
                == log.brokenAtLast(
                    expected: "session 1 is tried again at 2 s, whatever the wall clock shows",
                    seen: "it is tried again at 9 s"))
    }

    @Test func `a timer is judged once, and only if the clock jumped`() {
        var log = self.log(attemptAfter: .seconds(2))
        log.wait(.seconds(60))
        log.add(.engine(.attempt(ItemName(1), number: 3)))
        #expect(log.answer(of: TokensAndTimers()) == .held)
        var quiet = TimedLog()
        quiet.add(.engine(.fails(ItemName(1), code: 16, message: "lost", retryIn: .seconds(2))))
        quiet.wait(.seconds(60))
        quiet.add(.engine(.attempt(ItemName(1), number: 2)))
        #expect(quiet.answer(of: TokensAndTimers()) == .notApplicable(because: reason))
    }

    @Test func `a token is refreshed again and again, and each by itself`() {
        #expect(
            judge([
                .refreshBegan, .refreshEnded(isNew: true), .refreshBegan,
                .refreshEnded(isNew: false), .refreshBegan,
            ]) == .held)
        #expect(
            judge([(1, .refreshBegan), (2, .refreshBegan), (2, .refreshEnded(isNew: true))])
                == .held)
        #expect(
            judge([
                (1, .refreshBegan), (2, .refreshBegan), (2, .refreshEnded(isNew: true)),
                (1, .refreshBegan),
            ])
                == broken(
                    at: 3, expected: "one refresh of token “operation 1” at a time",
                    seen: "another begins"))
    }

    @Test func `a token that was rejected says nothing of another`() {
        #expect(judge([(1, .rejected), (2, .used)]) == .held)
        #expect(
            judge([(1, .rejected), (2, .refreshEnded(isNew: true)), (1, .used)])
                == broken(
                    at: 2,
                    expected: "token “operation 1” is not used again, "
                        + "because the server has rejected it",
                    seen: "a request uses it"))
    }

    @Test func `a log without tokens or jumps is not applicable`() {
        #expect(
            TimedLog().answer(of: TokensAndTimers()) == .notApplicable(because: reason))
    }

    private let reason = "no token was used, and no clock jumped while a session waited"

    private func log(attemptAfter span: TimeSpan, with other: RunEvent.Fact? = nil) -> TimedLog {
        log(endingAfter: span, .engine(.attempt(ItemName(1), number: 2)), with: other)
    }

    private func log(
        endingAfter span: TimeSpan, _ end: RunEvent.Fact, with other: RunEvent.Fact? = nil
    ) -> TimedLog {
        var log = TimedLog()
        log.add(
            .engine(.fails(ItemName(1), code: 16, message: "lost", retryIn: .seconds(2))),
            .device(
                .wallClockJumped(by: .seconds(3_600), wallNanoseconds: 0, because: "the user")))
        if let other { log.add(other) }
        log.wait(span)
        log.add(end)
        return log
    }

    private func judge(_ steps: [TokenStep]) -> Verdict.Answer {
        answer(
            of: TokensAndTimers(),
            to: steps.map { .engine(.token(ItemName(1, of: .operations), $0)) })
    }

    private func judge(_ steps: [(UInt64, TokenStep)]) -> Verdict.Answer {
        answer(
            of: TokensAndTimers(),
            to: steps.map { .engine(.token(ItemName($0.0, of: .operations), $0.1)) })
    }
}
