import Quantities
import RunLog
import Testing

@testable import Checks

/// S6: an upload has one writer at a time.
@Suite struct OneWriterPerUploadTests {
    private let second = ConnectionName(launch: 1, number: 2)
    private let later = ConnectionName(launch: 2, number: 1)

    @Test func `one append after the other holds`() {
        #expect(judge([begins, ends, begins, ends]) == .held)
    }

    @Test func `two appends at once fall at the server`() {
        #expect(
            judge([begins, begins])
                == broken(
                    at: 1, expected: "the append to /tus/1 ends before another begins",
                    seen: "another begins"))
    }

    @Test func `two requests at once fall at the app`() {
        #expect(
            judge(opening() + [SmallLog.sends(from: 0), SmallLog.sends(from: 40, on: second)])
                == broken(
                    at: 4,
                    expected:
                        "connection 1.1 is done with /tus/1 before another connection writes to it",
                    seen: "connection 1.2 writes to it"))
    }

    @Test func `an answer, an end, a stop and a kill let another write`() {
        let first = SmallLog.sends(from: 0)
        let next = SmallLog.sends(from: 40, on: second)
        let answered = RunEvent.Fact.connection(.response(SmallLog.connection, status: 409))
        #expect(judge([first, answered, next]) == .held)
        #expect(judge([first, SmallLog.ended(transmitted: 1), next]) == .held)
        #expect(judge(opening() + [first, SmallLog.told(.didStopRunning), next]) == .held)
        #expect(judge([first, SmallLog.killed, SmallLog.sends(from: 40, on: later)]) == .held)
    }

    @Test func `what is written to a connection that has ended is no writer`() {
        let ended = SmallLog.ended(transmitted: 1)
        let late = SmallLog.sends(from: 0)
        let next = SmallLog.sends(from: 40, on: second)
        #expect(judge(opening() + [ended, late, next]) == .held)
        #expect(judge(opening() + [late, next, ended]) != .held)
    }

    @Test func `several bodies on one connection are one writer`() {
        #expect(judge([SmallLog.sends(from: 0), SmallLog.sends(from: 40)]) == .held)
    }

    @Test func `a log without an append is not applicable`() {
        #expect(judge(opening()) == .notApplicable(because: "there were no appends"))
    }

    private var begins: RunEvent.Fact {
        .server(.appendBegan(SmallLog.upload, at: .zero, staged: .zero))
    }
    private var ends: RunEvent.Fact {
        .server(.appendEnded(SmallLog.upload, staged: .zero, complete: false))
    }

    private func opening() -> [RunEvent.Fact] {
        [
            .engine(.attempt(ItemName(1), number: 1)),
            .connection(.opening(SmallLog.connection, to: "docroot:80", by: ItemName(1))),
            .connection(.opening(second, to: "docroot:80", by: ItemName(1))),
        ]
    }

    private func judge(_ facts: [RunEvent.Fact]) -> Verdict.Answer {
        answer(of: OneWriterPerUpload(), to: facts)
    }
}
