import Quantities
import Testing
import TransferEngine

/// An engine whose store was damaged tells the app, and gives no number to two sessions (S7).
@Suite struct StoreSetAsideTests {
    static let setAside = StoreSetAside(
        name: "queue.sqlite.damaged-1", reason: "a flipped bit",
        lost: [SessionID(4), SessionID(9)], accounts: [AccountID(3)],
        lastTransfer: TransferID(12))

    @Test func `the app is told before anything else`() {
        let (_, outputs) = launched()
        #expect(outputs == [.tell(.storeWasSetAside(Self.setAside))])
    }

    @Test func `what is enqueued next has numbers that nothing lost has had`() throws {
        var (engine, outputs) = launched()
        outputs = []
        let request = EnqueueTests.request()
        _ = engine.handle(.command(.queue(.enqueue(request))), at: .start, into: &outputs)
        guard outputs.count == 2, case .persist(_, .putAccount(let account)) = outputs[0],
            case .persist(_, .put(let record)) = outputs[1]
        else {
            Issue.record("\(outputs)")
            return
        }
        #expect(account.id == AccountID(4))
        #expect(record.id == SessionID(10))
        #expect(record.transfers.map(\.id) == [TransferID(13)])
    }

    @Test func `once the app has heard of it the store forgets it`() {
        var (engine, outputs) = launched()
        outputs = []
        _ = engine.handle(.command(.queue(.heardOfSetAside)), at: .start, into: &outputs)
        #expect(outputs == [.persist(PersistTicket(1), .forgetSetAside)])
        outputs = []
        _ = engine.handle(.persisted(PersistTicket(1)), at: .start, into: &outputs)
        #expect(outputs.isEmpty)
    }

    @Test func `a store that cannot forget it says so, and is asked again`() {
        var (engine, outputs) = launched()
        _ = engine.handle(.command(.queue(.heardOfSetAside)), at: .start, into: &outputs)
        outputs = []
        let failed = EngineInput.persistFailed(PersistTicket(1), reason: "disk full")
        let again = Instant.start + .seconds(10)
        #expect(engine.handle(failed, at: .start, into: &outputs) == again)
        #expect(outputs.map(\.fact) == [.store(.failed(reason: "disk full"))])
        outputs = []
        #expect(engine.handle(.wake, at: again, into: &outputs) == nil)
        #expect(outputs == [.persist(PersistTicket(2), .forgetSetAside)])
    }

    private func launched() -> (TransferEngine, [EngineOutput]) {
        var engine = TransferEngine()
        var outputs: [EngineOutput] = []
        _ = engine.handle(.restored([]), at: .start, into: &outputs)
        _ = engine.handle(.storeWasSetAside(Self.setAside), at: .start, into: &outputs)
        return (engine, outputs)
    }
}
