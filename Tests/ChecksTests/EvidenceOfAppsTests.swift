import Quantities
import RunLog
import Testing

@testable import Checks

/// Which situations decide the clauses of S4, S7, S13, S14, L3 and L4, and which do not.
@Suite struct EvidenceOfAppsTests {
    private static func store(_ fact: StoreFact) -> RunEvent.Fact { .store(fact) }

    private static func opened(_ content: UInt64) -> RunEvent.Fact {
        .store(.opened(launch: 2, content: content, sessions: 1))
    }

    private static let requested = store(.requested(ticket: 1, content: 7, paths: []))
    private static let committed = store(.committed(ticket: 1))
    private static let later = store(.requested(ticket: 2, content: 8, paths: ["a.mov"]))

    @Test func `a store that promised nothing decides nothing`() {
        let check = StoreSurvivesCrash()
        let kept = [Self.requested, Self.committed, SmallLog.killed]
        #expect(decided("promise kept", by: check, in: kept + [Self.opened(7)]) == 1)
        #expect(decided("promise kept", by: check, in: [Self.opened(0)]) == 0)
        #expect(decided("unconfirmed change", by: check, in: kept + [Self.opened(7)]) == 0)
        #expect(
            decided(
                "unconfirmed change", by: check,
                in: [Self.requested, Self.committed, Self.later, SmallLog.killed, Self.opened(7)])
                == 1)
        let power = RunEvent.Fact.device(.power(.lost))
        #expect(decided("power loss", by: check, in: kept + [Self.opened(7)]) == 0)
        #expect(decided("power loss", by: check, in: kept + [power, Self.opened(7)]) == 1)
        #expect(decided("relative paths", by: check, in: [Self.requested]) == 0)
        #expect(decided("relative paths", by: check, in: [Self.later]) == 1)
    }

    @Test func `the death of an idle app decides nothing`() {
        let check = NothingFromTheSuspended()
        let launched = RunEvent.Fact.device(.appLaunched(launch: 1))
        let running = SmallLog.stage(.waiting, .running)
        let done = SmallLog.stage(.running, .completed)
        #expect(decided("dead", by: check, in: [launched, running, SmallLog.killed]) == 1)
        #expect(decided("dead", by: check, in: [launched, SmallLog.killed]) == 0)
        #expect(decided("dead", by: check, in: [launched, running, done, SmallLog.killed]) == 0)
    }

    @Test func `an activation decides the order only if another session waits`() {
        let check = QueueKeepsOrder()
        let alone = [
            SmallLog.accepted(), .queue(.started), SmallLog.told(.willActivate),
        ]
        let two = [
            SmallLog.accepted(), SmallLog.accepted(2), .queue(.started),
            SmallLog.told(.willActivate),
        ]
        for clause in ["order", "one active"] {
            #expect(decided(clause, by: check, in: alone) == 0, "\(clause)")
            #expect(decided(clause, by: check, in: two) == 1, "\(clause)")
        }
        let moved = [
            SmallLog.accepted(), SmallLog.accepted(2),
            .queue(.reordered(ItemName(2), from: 1, to: 0)), .queue(.started),
            SmallLog.told(2, .willActivate),
        ]
        #expect(decided("moved by the app", by: check, in: moved) == 1)
        #expect(decided("moved by the app", by: check, in: two) == 0)
    }

    @Test func `an end decides what it does not block only if another session waits`() {
        let check = NothingBlocksTheQueue()
        let failed = SmallLog.told(.didDeactivate(.failed(code: 4, message: "no such file")))
        let alone = [SmallLog.accepted(), SmallLog.told(.willActivate), failed]
        let two = [
            SmallLog.accepted(), SmallLog.accepted(2), SmallLog.told(.willActivate), failed,
        ]
        #expect(decided("after a failed one", by: check, in: alone) == 0)
        #expect(decided("after a failed one", by: check, in: two) == 1)
        #expect(decided("after a completed one", by: check, in: two) == 0)
    }

    @Test func `a queue that starts decides what stays ended only if something has`() {
        let check = TerminalStateIsFinal()
        let ended = [SmallLog.stage(.waiting, .running), SmallLog.stage(.running, .failed)]
        #expect(decided("stays ended", by: check, in: ended + [.queue(.started)]) == 1)
        #expect(decided("stays ended", by: check, in: [ended[0], .queue(.started)]) == 0)
    }
}
