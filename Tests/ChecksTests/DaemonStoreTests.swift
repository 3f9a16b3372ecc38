import Quantities
import RunLog
import Testing

@testable import Checks

/// The stores of the phones' daemons, judged by the log alone (S7, L1).
@Suite struct DaemonStoreTests {
    private func event(_ fact: StoreFact, of device: UInt16? = nil) -> RunEvent {
        RunEvent(at: .start, .daemon(.store(fact, device: device)))
    }

    private let opened = StoreFact.opened(launch: 1, content: 0, sessions: 0)
    private let requested = StoreFact.requested(ticket: 1, content: 7, paths: ["a.mov"])
    private let committed = StoreFact.committed(ticket: 1)
    private func opened(_ content: UInt64, _ tasks: Int = 1) -> StoreFact {
        .opened(launch: 2, content: content, sessions: tasks)
    }
    private let flipped = RunEvent(at: .start, .daemon(.bitsFlipped(count: 3)))
    private let setAside = StoreFact.setAside(
        as: "x.damaged-1", because: "it is torn", kept: [],
        lost: [ItemName(1, of: .background)])

    private func answer(_ check: any Check, _ log: [RunEvent]) -> Verdict.Answer {
        var check = check
        for event in log { check.read(event) }
        return check.verdict()
    }

    private func isBroken(_ check: any Check, _ log: [RunEvent]) -> Bool {
        if case .broken = answer(check, log) { true } else { false }
    }

    @Test func `what was promised is there when it is opened again`() {
        let log = [event(opened), event(requested), event(committed)]
        #expect(answer(EveryStoreSurvives(), log + [event(opened(7))]) == .held)
        #expect(isBroken(EveryStoreSurvives(), log + [event(opened(0, 0))]))
        #expect(isBroken(EveryStoreSurvives(), log + [event(opened(8))]))
        // The change is unconfirmed: the store may hold either state.
        #expect(answer(EveryStoreSurvives(), log.dropLast() + [event(opened(0, 0))]) == .held)
    }

    @Test func `each phone's daemon has a store of its own, and an app's is another`() {
        let log = [
            event(opened), event(opened, of: 2), event(requested, of: 2), event(committed, of: 2),
            RunEvent(at: .start, .store(opened)),
        ]
        #expect(answer(EveryStoreSurvives(), log + [event(opened(0, 0))]) == .held)
        #expect(isBroken(EveryStoreSurvives(), log + [event(opened(0, 0), of: 2)]))
    }

    @Test func `what is lost with a store is forgiven where its bits have flipped`() {
        let log = [event(opened), event(requested), event(committed)]
        let lost = [event(setAside), event(opened(0, 0))]
        #expect(answer(EveryStoreSurvives(), log + [flipped] + lost) == .held)
        #expect(isBroken(EveryStoreSurvives(), log + lost))
    }

    @Test func `an absolute path in it falls`() {
        let path = StoreFact.requested(ticket: 1, content: 7, paths: ["/var/a.mov"])
        #expect(isBroken(EveryStoreSurvives(), [event(opened), event(path)]))
    }

    @Test func `an app whose tasks are lost hears so, and nobody owes it more (L1)`() {
        let task = ItemName(1, of: .background)
        let end = RunEvent(at: .start + .seconds(9), .run(.ended(.quiet)))
        let log = [
            RunEvent(at: .start, .device(.appLaunched(launch: 1))),
            RunEvent(at: .start, .engine(.accepts(task, index: nil, []))),
            RunEvent(
                at: .start,
                .engine(.moves(task, from: .suspended, to: .running, because: "resumed"))),
            event(setAside),
        ]
        let told = RunEvent(at: .start, .background(.tasksWereLost([task])))
        #expect(!isBroken(EverySessionEnds(), log + [told, end]))
        #expect(isBroken(EverySessionEnds(), log + [end]))
        #expect(isBroken(EverySessionEnds(), log.dropLast() + [told, end]))
    }
}
