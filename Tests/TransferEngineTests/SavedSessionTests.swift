import Quantities
import Testing
import TransferEngine

/// Sessions that their app saves by hand, and that are in no queue until it enqueues them (A9).
@Suite struct SavedSessionTests {
    private static func request(_ source: String = "a", draft: UInt64? = nil) -> SessionRequest {
        var request = QueueBench.request
        request.files = source.isEmpty ? [] : [.init(source: source, destination: "in/a")]
        request.draft = draft.map { DraftID($0) }
        return request
    }

    private static func sources(_ bench: QueueBench, _ session: UInt64) -> [String]? {
        bench.kept[SessionID(session)]?.transfers.map(\.source)
    }

    @Test func `a saved session is there after a launch, and does nothing (A9)`() {
        var bench = QueueBench(sessions: 1, isStarted: false)
        bench.tell(.command(.queue(.save(Self.request()))))
        bench.kill()
        #expect(bench.rows == [1], "it is in no queue")
        bench.finish()
        #expect(bench.turns == [1])
        guard case .holds(_, let sessions) = bench.saved.last else {
            Issue.record("\(bench.saved)")
            return
        }
        #expect(sessions.map(\.id) == [SessionID(2)])
    }

    @Test func `it is enqueued later, behind all others or where the app wants it`() {
        var bench = QueueBench(sessions: 2, isStarted: false)
        bench.tell(.command(.queue(.save(Self.request()))))
        bench.tell(.command(.queue(.save(Self.request()))))
        bench.kill(isStarted: false)
        bench.tell(.command(.queue(.enqueueSaved(SessionID(4), at: nil))))
        bench.tell(.command(.queue(.enqueueSaved(SessionID(3), at: 0))))
        #expect(bench.rows == [3, 1, 2, 4])
        #expect(
            bench.saved.suffix(2) == [
                .enqueued(SessionID(4), from: nil), .enqueued(SessionID(3), from: nil),
            ])
        bench.kill(isStarted: false)
        #expect(bench.rows == [3, 1, 2, 4])
        #expect(bench.refusals.isEmpty)
    }

    @Test func `it may be saved before it has files, and not enqueued before (A18)`() {
        var bench = QueueBench(sessions: 0)
        bench.tell(.command(.queue(.save(Self.request("")))))
        bench.tell(.command(.queue(.enqueueSaved(SessionID(1), at: nil))))
        #expect(bench.refusals == [.noFiles])
        bench.tell(.command(.queue(.edit(SessionID(1), Self.request("b")))))
        bench.tell(.command(.queue(.enqueueSaved(SessionID(1), at: nil))))
        #expect(bench.refusals == [.noFiles] && bench.rows == [1])
        #expect(Self.sources(bench, 1) == ["b"])
    }

    @Test func `a file keeps its number however often its session is saved anew`() {
        var bench = QueueBench(sessions: 0)
        bench.tell(.command(.queue(.save(Self.request()))))
        let number = bench.kept[SessionID(1)]?.transfers.map(\.id)
        bench.isStoreSlow = true
        for source in ["b", "c"] {
            bench.tell(.command(.queue(.edit(SessionID(1), Self.request(source)))))
        }
        bench.answer()
        #expect(Self.sources(bench, 1) == ["c"])
        #expect(bench.kept[SessionID(1)]?.transfers.map(\.id) == number)
        bench.tell(.command(.queue(.enqueue(Self.request("d")))))
        #expect(bench.kept[SessionID(2)]?.transfers.map(\.id) == [TransferID(2)])
    }

    @Test func `what is edited is enqueued as it was edited, be that on its way into the store`() {
        var bench = QueueBench(sessions: 0, isStarted: false)
        bench.tell(.command(.queue(.save(Self.request()))))
        bench.isStoreSlow = true
        bench.tell(.command(.queue(.edit(SessionID(1), Self.request("b")))))
        bench.tell(.command(.queue(.enqueueSaved(SessionID(1), at: nil))))
        bench.answer()
        #expect(bench.rows == [1] && Self.sources(bench, 1) == ["b"])
        bench.forget()
        bench.kill(isStarted: false)
        #expect(bench.rows == [1] && Self.sources(bench, 1) == ["b"])
    }

    @Test func `a session is enqueued once, and a queue's is not edited`() {
        var bench = QueueBench(sessions: 0, isStarted: false)
        bench.tell(.command(.queue(.save(Self.request()))))
        bench.isStoreSlow = true
        bench.tell(.command(.queue(.enqueueSaved(SessionID(1), at: nil))))
        bench.tell(.command(.queue(.enqueueSaved(SessionID(1), at: nil))))
        bench.answer()
        bench.tell(.command(.queue(.enqueueSaved(SessionID(1), at: nil))))
        bench.tell(.command(.queue(.edit(SessionID(1), Self.request("b")))))
        #expect(bench.refusals == Array(repeating: .alreadyEnqueued(SessionID(1)), count: 3))
        #expect(bench.rows == [1] && Self.sources(bench, 1) == ["a"])
    }

    @Test func `a number that no session has is refused`() {
        var bench = QueueBench(sessions: 1, isStarted: false)
        for command: QueueCommand in [
            .enqueueSaved(SessionID(9), at: nil), .edit(SessionID(9), Self.request()),
            .deleteSession(SessionID(9)),
        ] { bench.tell(.command(.queue(command))) }
        #expect(bench.refusals == Array(repeating: .noSuchSession(SessionID(9)), count: 3))
    }

    @Test func `a place that the queue does not have is refused, and it stays saved`() {
        var bench = QueueBench(sessions: 1, isStarted: false)
        bench.tell(.command(.queue(.save(Self.request()))))
        bench.tell(.command(.queue(.enqueueSaved(SessionID(2), at: 3))))
        #expect(bench.refusals == [.noSuchPlace(3, count: 1)])
        bench.tell(.command(.queue(.enqueueSaved(SessionID(2), at: 1))))
        #expect(bench.rows == [1, 2])
    }

    @Test func `it is deleted by its number, as one of the queue is, not while it runs (A10)`() {
        var bench = QueueBench(sessions: 2)
        bench.tell(.command(.queue(.save(Self.request()))))
        bench.connect()
        bench.tell(.command(.queue(.deleteSession(SessionID(3)))))
        bench.tell(.command(.queue(.deleteSession(SessionID(2)))))
        bench.tell(.command(.queue(.deleteSession(SessionID(1)))))
        #expect(bench.saved.last == .sessionDeleted(SessionID(3)))
        #expect(bench.refusals == [.notInThisState(.remove, SessionID(1), .running)])
        #expect(bench.rows == [1] && bench.kept.count == 1)
    }

    @Test func `one that is deleted while it is saved does not come back`() {
        var bench = QueueBench(sessions: 0, isStarted: false)
        bench.tell(.command(.queue(.save(Self.request()))))
        bench.isStoreSlow = true
        bench.tell(.command(.queue(.edit(SessionID(1), Self.request("b")))))
        bench.tell(.command(.queue(.deleteSession(SessionID(1)))))
        bench.answer()
        bench.tell(.command(.queue(.enqueueSaved(SessionID(1), at: nil))))
        #expect(bench.refusals == [.noSuchSession(SessionID(1))])
        #expect(bench.kept.isEmpty)
    }

    @Test func `its app hears which session has become of what it has made`() {
        var bench = QueueBench(sessions: 1, isStarted: false)
        bench.tell(.command(.queue(.save(Self.request(draft: 7)))))
        bench.tell(.command(.queue(.save(Self.request("b", draft: 7)))))
        bench.tell(.command(.queue(.enqueue(Self.request("c", draft: 7)))))
        bench.tell(.command(.queue(.enqueue(Self.request("d", draft: 8)))))
        let names = bench.saved.compactMap { news -> [UInt64?]? in
            switch news {
            case .session(let record, let draft): [record.id.number, draft?.number]
            case .enqueued(let id, let draft): [id.number, draft?.number]
            case .holds, .account, .accountDeleted, .sessionDeleted: nil
            }
        }
        // Saved, and saved again; then it is enqueued, and so is the other.
        #expect(names == [[2, 7], [2, 7], [2, 7], [3, 8]])
        #expect(bench.rows == [1, 2, 3] && Self.sources(bench, 2) == ["c"])
        bench.tell(.command(.queue(.enqueue(Self.request("c", draft: 7)))))
        #expect(bench.refusals == [.alreadyEnqueued(SessionID(2))])
    }

    @Test func `one that the store refuses was never made`() {
        var bench = QueueBench(sessions: 0, isStarted: false)
        bench.tell(.command(.queue(.saveAccount(QueueAccount(QueueBench.access)))))
        bench.storeRefuses = true
        bench.tell(.command(.queue(.save(Self.request(draft: 1)))))
        #expect(bench.refusals == [.notStored("full")])
        bench.storeRefuses = false
        bench.tell(.command(.queue(.save(Self.request(draft: 1)))))
        #expect(bench.kept.count == 1 && bench.refusals.count == 1)
    }

    @Test func `nothing of it is kept before the engine is initialised (A17)`() {
        var engine = TransferEngine()
        var outputs: [EngineOutput] = []
        for command: QueueCommand in [
            .save(Self.request()), .edit(SessionID(1), Self.request()),
            .enqueueSaved(SessionID(1), at: nil), .deleteSession(SessionID(1)),
            .saveAccount(QueueAccount(QueueBench.access)), .deleteAccount(AccountID(1)),
            .changeAccount(AccountID(1), to: QueueAccount(QueueBench.access)),
        ] { _ = engine.handle(.command(.queue(command)), at: .start, into: &outputs) }
        #expect(outputs == Array(repeating: .tell(.refused(.queue(.notInitialised))), count: 7))
    }
}
