import Quantities
import RunLog
import Testing

@testable import Checks

/// A session's progress over all of its files (A12), judged by S5. Each file has 100 bytes.
@Suite struct ProgressOfSessionsTests {
    private func log(_ facts: RunEvent.Fact...) -> TimedLog {
        var log = TimedLog()
        log.add(
            SmallLog.begins(sessions: 1), SmallLog.acceptedSet(["a.mov", "b.mov"]),
            .engine(.attempt(ItemName(1), number: 1)), Self.starts("a.mov"))
        for fact in facts { log.add(fact) }
        return log
    }

    private static func starts(_ name: String) -> RunEvent.Fact {
        SmallLog.told(.didStartFile(name: name))
    }

    private static func moves(
        _ name: String, _ done: UInt64, inAll whole: UInt64, of total: UInt64? = 200
    ) -> RunEvent.Fact {
        SmallLog.told(SmallLog.progress(done, of: name, inAll: whole, of: total))
    }

    private func answer(_ log: TimedLog) -> Verdict.Answer {
        log.answer(of: ProgressStaysInBounds())
    }

    private func slip(_ log: TimedLog, _ range: String, _ seen: String) -> Verdict.Answer {
        log.brokenAtLast(
            expected: "progress of session 1 over all of its files from \(range)",
            seen: "it has moved \(seen) bytes of them")
    }

    @Test func `it counts the files that have arrived and the one that moves`() {
        let log = log(
            Self.moves("a.mov", 100, inAll: 100, of: nil), SmallLog.completes(1),
            SmallLog.told(.didStopFile(name: "a.mov")), Self.starts("b.mov"),
            Self.moves("b.mov", 40, inAll: 140), Self.moves("b.mov", 100, inAll: 200))
        #expect(answer(log) == .held)
    }

    @Test func `one that forgets what has arrived falls, also after a restart`() {
        let first: [RunEvent.Fact] = [
            Self.moves("a.mov", 100, inAll: 100), SmallLog.completes(1),
            SmallLog.told(.didStopFile(name: "a.mov")),
        ]
        var same = log(first[0], first[1], first[2], Self.starts("b.mov"))
        var next = log(
            first[0], first[1], first[2], .engine(.attempt(ItemName(1), number: 2)),
            Self.starts("b.mov"))
        same.add(Self.moves("b.mov", 40, inAll: 40))
        #expect(answer(same) == slip(same, "140 to 200", "40"))
        next.add(Self.moves("b.mov", 40, inAll: 40))
        #expect(answer(next) == slip(next, "140 to 200", "40"))
    }

    @Test func `one that goes back or beyond the total falls`() {
        let back = log(Self.moves("a.mov", 50, inAll: 60), Self.moves("a.mov", 55, inAll: 59))
        #expect(answer(back) == slip(back, "60 to 200", "59"))
        let beyond = log(Self.moves("a.mov", 50, inAll: 201))
        #expect(answer(beyond) == slip(beyond, "50 to 200", "201"))
    }

    @Test func `a file that starts over counts no more`() {
        let log = log(
            Self.moves("a.mov", 100, inAll: 100), SmallLog.completes(1),
            SmallLog.told(.didStopFile(name: "a.mov")),
            .engine(.startsOver(TransferName(1), because: "the app runs it again")),
            .engine(.attempt(ItemName(1), number: 1)), Self.starts("a.mov"),
            Self.moves("a.mov", 10, inAll: 10))
        #expect(answer(log) == .held)
    }
}
