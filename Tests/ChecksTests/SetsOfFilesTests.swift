import Quantities
import RunLog
import Testing

@testable import Checks

/// What one file's failure does to the others of its session (A21), judged by L4.
@Suite struct SetsOfFilesTests {
    private static let names = ["a.mov", "b.mov", "c.mov"]
    private static let message = "some files failed: b.mov (no such file, error 4)"
    private static let givenUp = RunEvent.Fact.engine(
        .givesUp(TransferName(2), because: "no such file, error 4"))

    private static func failed(_ code: Int = 27, _ message: String = message) -> RunEvent.Fact {
        SmallLog.told(.didDeactivate(.failed(code: code, message: message)))
    }

    private static let completed = SmallLog.told(.didDeactivate(.completed))

    /// All that happens to a session of three files.
    private func log(_ facts: RunEvent.Fact...) -> TimedLog {
        var log = TimedLog()
        log.add(SmallLog.begins(sessions: 1), SmallLog.acceptedSet(Self.names))
        for fact in [SmallLog.told(.willActivate)] + facts { log.add(fact) }
        return log
    }

    private func answer(_ log: TimedLog) -> Verdict.Answer {
        log.answer(of: NothingBlocksTheQueue())
    }

    @Test func `the others arrive, and the end names the one that failed`() {
        let log = log(
            SmallLog.completes(1), Self.givenUp, SmallLog.completes(3), Self.failed())
        #expect(answer(log) == .held)
    }

    @Test func `a set that ends at its first failure falls`() {
        let log = log(SmallLog.completes(1), Self.failed(4, "no such file"))
        #expect(
            answer(log)
                == log.brokenAtLast(
                    expected:
                        "the other files of session 1 have their turn, and it ends with error 27",
                    seen: "it ends with error 4, no such file"))
    }

    @Test func `a set of which a file had no turn falls`() {
        let log = log(SmallLog.completes(1), Self.givenUp, Self.failed())
        #expect(
            answer(log)
                == log.brokenAtLast(
                    expected: "every file of session 1 has its turn before it ends",
                    seen: "c.mov had none"))
    }

    @Test func `a set that completes although a file failed falls`() {
        let log = log(
            SmallLog.completes(1), Self.givenUp, SmallLog.completes(3), Self.completed)
        #expect(
            answer(log)
                == log.brokenAtLast(
                    expected: "session 1 completes when all of its files have arrived",
                    seen: "b.mov has not"))
    }

    @Test func `an end that names another file, or comes without a failure, falls`() {
        let unnamed = log(
            SmallLog.completes(1), Self.givenUp, SmallLog.completes(3), Self.failed(27, "c.mov"))
        #expect(
            answer(unnamed)
                == unnamed.brokenAtLast(
                    expected: "the end of session 1 names b.mov, which failed", seen: "c.mov"))
        let none = log(
            SmallLog.completes(1), SmallLog.completes(2), SmallLog.completes(3), Self.failed())
        #expect(answer(none) != .held)
    }

    @Test func `a run by hand tries what failed again`() {
        let again = log(
            SmallLog.completes(1), Self.givenUp, SmallLog.completes(3), Self.failed(),
            .queue(.asked(ItemName(1), .run)), SmallLog.told(.willActivate))
        var held = again
        held.add(SmallLog.completes(2), Self.completed)
        #expect(answer(held) == .held)
        var fallen = again
        fallen.add(Self.failed())
        #expect(answer(fallen) != .held)
    }

    @Test(arguments: [true, false]) func `a run by hand may die with its process`(isKept: Bool) {
        var log = log(
            SmallLog.completes(1), Self.givenUp, SmallLog.completes(3), Self.failed(),
            .queue(.asked(ItemName(1), .run)), .store(.requested(ticket: 7, content: 0, paths: [])),
            isKept ? .store(.committed(ticket: 7)) : .store(.failed(reason: "the disk is full")),
            .device(.appKilled(launch: 1)), SmallLog.told(.willActivate))
        log.add(Self.failed())
        // If the store has the wish, the file must be tried again.
        #expect((answer(log) == .held) == !isKept)
        log.add(Self.completed)
        #expect(answer(log) != .held)
    }

    @Test func `a session that is run again before the app hears of its end was decided before`() {
        let log = log(
            SmallLog.completes(1), Self.givenUp, SmallLog.completes(3),
            SmallLog.stage(.running, .failed), .queue(.asked(ItemName(1), .run)), Self.failed())
        #expect(answer(log) == .held)
    }

    @Test func `a single file ends its session with its own error`() {
        var log = TimedLog()
        log.add(
            SmallLog.begins(sessions: 1), SmallLog.accepted(), SmallLog.told(.willActivate),
            Self.failed(4, "no such file"))
        #expect(answer(log) == .held)
    }
}
