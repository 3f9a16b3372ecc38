import Quantities
import RunLog
import Testing

@testable import Checks

@Suite struct AttemptsKeepTheirBudgetTests {
    /// The pauses of A16: 2 s, doubled up to 60 s, seven times.
    private static let pauses: [Int64] = [2, 4, 8, 16, 32, 60, 60]

    @Test func `a daemon that begins again waits for nothing that an earlier one was asked`() {
        let task = ItemName(1, of: .background)
        let connection = SmallLog.connection
        let log: [RunEvent.Fact] = [
            .engine(.attempt(task, number: 1)),
            .connection(.opening(connection, to: "docroot:80", by: task)),
            .connection(
                .response(connection, status: 503, retryAfter: RetryAfter(field: "50"))),
            .daemon(.store(.opened(launch: 2, content: 1, sessions: 1))),
        ]
        let attempt = RunEvent.Fact.engine(.attempt(task, number: 1))
        let check = AttemptsKeepTheirBudget()
        #expect(answer(of: check, to: log + [attempt]) == .held)
        #expect(answer(of: check, to: log.dropLast() + [attempt]) != .held)
    }

    @Test func `each phone's daemon forgets what its own store has not kept`() {
        let task = ItemName(2, of: .background)
        func store(_ fact: StoreFact, of device: UInt16? = nil) -> RunEvent.Fact {
            .daemon(.store(fact, device: device))
        }
        let failed: [RunEvent.Fact] = [
            .engine(
                .fails(task, code: -999, message: "cancelled", retryIn: nil)),
            store(.requested(ticket: 5, content: 1, paths: [])),
            // The other phone's store has kept a change with the same ticket.
            store(.requested(ticket: 5, content: 1, paths: []), of: 2),
            store(.committed(ticket: 5), of: 2),
        ]
        let restart = store(.opened(launch: 2, content: 1, sessions: 1))
        let attempt = RunEvent.Fact.engine(.attempt(task, number: 1))
        let check = AttemptsKeepTheirBudget()
        #expect(answer(of: check, to: failed + [restart, attempt]) == .held)
        let kept = store(.committed(ticket: 5))
        #expect(answer(of: check, to: failed + [kept, restart, attempt]) != .held)
        let other = store(.opened(launch: 2, content: 1, sessions: 1), of: 2)
        #expect(answer(of: check, to: failed + [other, attempt]) != .held)
    }

    @Test func `a task that fails before its attempt has forgotten only what was not kept`() {
        let task = ItemName(2, of: .background)
        func fails(after pause: TimeSpan) -> RunEvent.Fact {
            .engine(.fails(task, code: -1005, message: "connection lost", retryIn: pause))
        }
        func store(_ fact: StoreFact) -> RunEvent.Fact { .daemon(.store(fact)) }
        let failed = [
            fails(after: .seconds(2)), store(.requested(ticket: 5, content: 1, paths: [])),
        ]
        let kept = store(.committed(ticket: 5))
        let restart = store(.opened(launch: 2, content: 1, sessions: 1))
        let hasty = fails(after: .seconds(2))
        let check = AttemptsKeepTheirBudget()
        let attempts = (2...3).map { RunEvent.Fact.engine(.attempt(task, number: $0)) }
        func answers(_ log: [RunEvent.Fact]) -> [Bool] {
            attempts.map { attempt in
                var timed = TimedLog()
                for fact in log { timed.add(fact) }
                timed.wait(.seconds(4))
                timed.add(attempt)
                return timed.answer(of: check) == .held
            }
        }
        #expect(answers(failed + [restart, hasty]) == [true, false])
        #expect(answers(failed + [restart, fails(after: .seconds(4))]) == [true, true])
        #expect(answers(failed + [kept, restart, hasty]) == [false, false])
    }

    @Test func `seven retries with their pauses hold`() {
        var log = TimedLog()
        for (index, pause) in Self.pauses.enumerated() {
            log.add(attempt(index + 1))
            log.add(fails(retryIn: .seconds(pause)))
            log.wait(.seconds(pause))
        }
        log.add(attempt(8))
        log.add(fails(retryIn: nil))
        #expect(log.answer(of: AttemptsKeepTheirBudget()) == .held)
    }

    @Test func `an eighth retry falls`() {
        var log = TimedLog()
        for (index, pause) in (Self.pauses + [60]).enumerated() {
            log.add(attempt(index + 1))
            log.add(fails(retryIn: .seconds(pause)))
            log.wait(.seconds(pause))
        }
        log.add(attempt(9))
        #expect(
            log.answer(of: AttemptsKeepTheirBudget())
                == log.brokenAtLast(
                    expected: "session 1 fails for good after 7 retries",
                    seen: "attempt 9 begins"))
    }

    @Test func `a pause that is too short falls when it is announced`() {
        var log = TimedLog()
        log.add(attempt(1))
        log.add(fails(retryIn: .seconds(1)))
        #expect(
            log.answer(of: AttemptsKeepTheirBudget())
                == log.brokenAtLast(
                    expected: "session 1 pauses for at least 2 s after failure 1",
                    seen: "it pauses for 1 s"))
    }

    @Test func `an attempt before its pause is over falls`() {
        var log = TimedLog()
        log.add(attempt(1))
        log.add(fails(retryIn: .seconds(2)))
        log.wait(.milliseconds(1999))
        log.add(attempt(2))
        #expect(
            log.answer(of: AttemptsKeepTheirBudget())
                == log.brokenAtLast(
                    expected: "attempt 2 of session 1 at 2 s or later",
                    seen: "it begins at 1.999 s"))
    }

    @Test(arguments: [
        RetryAfter(field: "5"),
        RetryAfter(
            field: "Sat, 01 Mar 2036 00:00:03 GMT", date: "Fri, 29 Feb 2036 23:59:58 GMT"),
        RetryAfter(
            field: "Thu, 01 Jan 2099 00:00:04 GMT", date: "Wed, 31 Dec 2098 23:59:59 GMT"),
    ])
    func `what the server asked for counts as well`(asked: RetryAfter) {
        var log = refused(asking: asked)
        log.wait(.seconds(4))
        log.add(attempt(2))
        #expect(
            log.answer(of: AttemptsKeepTheirBudget())
                == log.brokenAtLast(
                    expected: "attempt 2 of session 1 at 5 s or later", seen: "it begins at 4 s"))
    }

    @Test(arguments: [
        RetryAfter(field: "Sat, 01 Mar 2036 00:00:03 GMT"), RetryAfter(field: "soon"),
        RetryAfter(field: "", date: "Fri, 29 Feb 2036 23:59:58 GMT"),
        RetryAfter(
            field: "Fri, 29 Feb 2036 23:59:58 GMT", date: "Sat, 01 Mar 2036 00:00:03 GMT"),
    ])
    func `what the server does not say does not count`(asked: RetryAfter) {
        var log = refused(asking: asked)
        log.wait(.seconds(2))
        log.add(attempt(2))
        #expect(log.answer(of: AttemptsKeepTheirBudget()) == .held)
    }

    /// An attempt that a server refuses, and the engine's own pause of 2 s.
    private func refused(asking asked: RetryAfter) -> TimedLog {
        var log = TimedLog()
        log.add(attempt(1))
        log.add(.connection(.opening(SmallLog.connection, to: "docroot:80", by: ItemName(1))))
        log.add(.connection(.response(SmallLog.connection, status: 503, retryAfter: asked)))
        log.add(fails(retryIn: .seconds(2)))
        return log
    }

    @Test func `a failure that spends nothing falls`() {
        var log = TimedLog()
        log.add(attempt(1))
        log.add(fails(retryIn: .seconds(2)))
        log.wait(.seconds(2))
        log.add(attempt(1))
        #expect(
            log.answer(of: AttemptsKeepTheirBudget())
                == log.brokenAtLast(
                    expected: "attempt 2 of session 1, because 1 failed",
                    seen: "it has the number 1"))
    }

    @Test(arguments: [1, 2])
    func `a launch waits for nothing, and may miss the very last failure`(number: Int) {
        var log = TimedLog()
        log.add(attempt(1))
        log.add(fails(retryIn: .seconds(2)))
        log.add(SmallLog.killed)
        log.add(attempt(number))
        #expect(log.answer(of: AttemptsKeepTheirBudget()) == .held)
    }

    @Test func `a kill does not renew the budget`() {
        var log = TimedLog()
        for number in 1...2 {
            log.add(attempt(number))
            log.add(fails(retryIn: .seconds(Int64(2 * number))))
            log.add(.store(.requested(ticket: UInt64(number), content: 1, paths: [])))
            if number == 1 { log.add(.store(.committed(ticket: 1))) }
            log.wait(.seconds(Int64(2 * number)))
        }
        log.add(SmallLog.killed)
        log.add(attempt(1))
        #expect(
            log.answer(of: AttemptsKeepTheirBudget())
                == log.brokenAtLast(
                    expected: "attempt 3 of session 1, because 2 failed",
                    seen: "it has the number 1"))
    }

    /// Two failures, of which the store has kept `stored`, and the next attempt.
    static let stored: [(stored: Int, next: Int, isHeld: Bool)] = [
        (0, 1, true), (0, 3, true), (1, 1, false), (1, 2, true), (2, 2, false), (2, 3, true),
        (0, 4, false),
    ]

    @Test(arguments: stored.indices)
    func `what a store has refused may be forgotten, and what it has promised may not`(row: Int) {
        let (stored, next, isHeld) = Self.stored[row]
        var log = TimedLog()
        for number in 1...2 {
            log.add(attempt(number))
            log.add(fails(retryIn: .seconds(Int64(2 * number))))
            log.add(.store(.requested(ticket: UInt64(number), content: 1, paths: [])))
            let isStored = number <= stored
            log.add(
                .store(isStored ? .committed(ticket: UInt64(number)) : .failed(reason: "full")))
            log.wait(.seconds(Int64(2 * number)))
        }
        log.add(.store(.failed(reason: "full")))
        log.add(SmallLog.killed)
        log.add(attempt(next))
        let answer = log.answer(of: AttemptsKeepTheirBudget())
        #expect((answer == .held) == isHeld, "\(answer)")
    }

    /// Running a session first asks the store to keep the one that makes room for it.
    @Test(arguments: [1, 2])
    func `what makes room for a run keeps nothing of the run`(committed: UInt64) {
        var log = TimedLog()
        log.add(attempt(1))
        log.add(fails(retryIn: .seconds(2)))
        log.add(
            .store(.requested(ticket: 0, content: 1, paths: [])), .store(.committed(ticket: 0)),
            .queue(.asked(ItemName(1), .run)),
            .store(.requested(ticket: 1, content: 1, paths: [])),
            .engine(
                .moves(ItemName(1), from: .retrying, to: .waiting, because: "the app runs it")),
            .store(.requested(ticket: 2, content: 1, paths: [])),
            .store(.committed(ticket: committed)), SmallLog.killed, attempt(2))
        let answer = log.answer(of: AttemptsKeepTheirBudget())
        #expect((answer == .held) == (committed == 1), "\(answer)")
    }

    @Test func `a log without an attempt is not applicable`() {
        #expect(
            TimedLog().answer(of: AttemptsKeepTheirBudget())
                == .notApplicable(because: "there were no attempts"))
    }

    private func attempt(_ number: Int) -> RunEvent.Fact {
        .engine(.attempt(ItemName(1), number: number))
    }

    private func fails(retryIn pause: TimeSpan?) -> RunEvent.Fact {
        .engine(.fails(ItemName(1), code: 16, message: "connection lost", retryIn: pause))
    }
}
