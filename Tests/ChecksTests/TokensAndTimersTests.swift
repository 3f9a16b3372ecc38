import Checks
import Quantities
import RunLog
import Testing

@Suite struct TokensAndTimersTests {
    @Test func `a token that is refreshed after it was rejected holds`() {
        #expect(
            judge([.used, .rejected, .refreshBegan, .refreshEnded(isNew: true), .used]) == .held)
    }

    @Test func `a token that is known to be rejected is not used`() {
        let expected = "token “app” is not used again, as the server has rejected it"
        let seen = "a request goes out with it"
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
                    at: 1, expected: "one refresh of token “app” at a time",
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

    @Test func `a timer that does not heed the clock holds, and so does one of a suspended app`() {
        #expect(log(attemptAfter: .seconds(2)).answer(of: TokensAndTimers()) == .held)
        let suspended = RunEvent.Fact.device(
            .appEntered(launch: 1, stage: .suspended, because: "it is behind"))
        #expect(
            log(attemptAfter: .seconds(9), with: suspended).answer(of: TokensAndTimers())
                == .notApplicable(because: reason))
    }

    @Test func `a log without tokens or jumps is not applicable`() {
        #expect(
            TimedLog().answer(of: TokensAndTimers()) == .notApplicable(because: reason))
    }

    private let reason = "no token was used, and no clock jumped while somebody waited"

    private func log(attemptAfter span: TimeSpan, with other: RunEvent.Fact? = nil) -> TimedLog {
        var log = TimedLog()
        log.add(
            .engine(.fails(SessionName(1), code: 16, message: "lost", retryIn: .seconds(2))),
            .device(
                .wallClockJumped(by: .seconds(3_600), wallNanoseconds: 0, because: "the user")))
        if let other { log.add(other) }
        log.wait(span)
        log.add(.engine(.attempt(SessionName(1), number: 2)))
        return log
    }

    private func judge(_ steps: [TokenStep]) -> Verdict.Answer {
        answer(of: TokensAndTimers(), to: steps.map { .engine(.token("app", $0)) })
    }
}
