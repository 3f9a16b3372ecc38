import RunLog
import Testing

@testable import Checks

/// S14 for accounts and saved sessions: referenced accounts stay, and saved items are there after a
/// restart (A9, A10).
@Suite struct SavedItemsTests {
    private static let studio = RunEvent.Fact.queue(
        .saved(
            .account(
                AccountName(1),
                SavedAccount(name: "studio", credentials: "app", folder: ""))))
    private static let deleted = RunEvent.Fact.queue(.saved(.accountDeleted(AccountName(1))))
    private static let saved = RunEvent.Fact.queue(
        .saved(.session(ItemName(2), of: AccountName(1), [])))
    private static let queued: [RunEvent.Fact] = [
        SmallLog.accepted(1), .queue(.saved(.belongs(ItemName(1), to: AccountName(1)))),
    ]
    private static let activated: [RunEvent.Fact] = [
        SmallLog.told(1, .willActivate), SmallLog.stage(1, .running, .completed),
        SmallLog.told(1, .didDeactivate(.completed)),
    ]
    private static let opened = RunEvent.Fact.store(.opened(launch: 2, content: 0, sessions: 1))

    private static func holds(_ accounts: [UInt64], _ sessions: [UInt64]) -> RunEvent.Fact {
        .queue(
            .saved(
                .holds(
                    accounts: accounts.map { AccountName($0) },
                    sessions: sessions.map { ItemName($0) })))
    }

    private func judge(_ facts: [RunEvent.Fact]) -> Verdict.Answer {
        answer(of: QueueKeepsOrder(), to: facts)
    }

    @Test func `an account that nobody refers to any more may go`() {
        let removed = SmallLog.told(1, .row(.removed(at: 0)))
        let log = [Self.studio] + Self.queued + Self.activated
        #expect(judge(log + [removed, Self.deleted]) == .held)
    }

    @Test func `an account that is deleted under a session of the queue falls`() {
        let log = [Self.studio] + Self.queued + Self.activated + [Self.deleted]
        #expect(
            judge(log)
                == broken(
                    at: 6, expected: "account 1 stays, because session 1 refers to it",
                    seen: "it is deleted"))
    }

    @Test func `one that is deleted under a saved session falls, too`() {
        #expect(
            judge([Self.studio, Self.saved, Self.deleted])
                == broken(
                    at: 2, expected: "account 1 stays, because session 2 refers to it",
                    seen: "it is deleted"))
        let gone = RunEvent.Fact.queue(.saved(.sessionDeleted(ItemName(2))))
        let log = Self.queued.dropLast() + Self.activated
        #expect(judge(log + [Self.studio, Self.saved, gone, Self.deleted]) == .held)
    }

    @Test func `what was saved is there at the next launch`() {
        let before = [Self.studio] + Self.queued + Self.activated + [Self.saved, SmallLog.killed]
        #expect(judge(before + [Self.opened, Self.holds([1], [2])]) == .held)
        let missing = { (found: RunEvent.Fact, names: String) in
            #expect(
                self.judge(before + [Self.opened, found])
                    == broken(
                        at: 9,
                        expected: "saved items are there when the app is launched again",
                        seen: "missing: \(names)"))
        }
        missing(Self.holds([1], []), "session 2")
        missing(Self.holds([], [2]), "account 1")
        missing(.queue(.started), "account 1, session 2")
    }

    @Test func `a change that was not promised yet may be undone by a kill`() {
        let asked = RunEvent.Fact.store(.requested(ticket: 9, content: 1, paths: []))
        let before = [Self.studio] + Self.queued + Self.activated + [Self.saved]
        let later = [asked, SmallLog.killed, Self.opened, Self.holds([1], [])]
        #expect(judge(before + later) == .held)
        let promised = [asked, .store(.committed(ticket: 9))] + later.dropFirst()
        #expect(judge(before + promised) != .held)
    }

    @Test func `nothing is owed of a store that was set aside, nor of data that was cleared`() {
        let before = [Self.studio] + Self.queued + Self.activated + [Self.saved, SmallLog.killed]
        let aside = RunEvent.Fact.store(.setAside(as: "q", because: "", kept: [], lost: []))
        #expect(judge(before + [aside, Self.opened, .queue(.started)]) == .held)
        #expect(judge(before + [.device(.appDataCleared), Self.opened]) == .held)
    }

    @Test func `a session that is saved and in no queue is not activated`() {
        #expect(
            judge([Self.studio, Self.saved, SmallLog.told(2, .willActivate)])
                == broken(
                    at: 2, expected: "session 2 is only saved, so it does not run",
                    seen: "it is activated"))
    }
}
