import Quantities
import Testing
import TransferEngine

/// What the daemon makes of a store that keeps nothing for a while (S7).
@Suite struct RefusingTaskStoreTests {
    private let failed = ToldEnd.failed(.cannotWriteToFile)

    @Test func `a task that cannot be kept fails, and its app hears so at once`() {
        var hand = DaemonByHand()
        hand.stores = false
        hand.upload()
        // What has failed by then cannot be resumed.
        #expect(hand.news.map(\.end) == [failed, nil] && hand.news.last == .refused(.hasFinished))
        #expect(hand.connects == 0)
    }

    @Test func `a resumption that cannot be kept is the end of its task`() {
        var hand = DaemonByHand()
        hand.tell(.asked(by: 0, .create(1, .films)))
        hand.stores = false
        hand.tell(.asked(by: 0, .resume(1)))
        #expect(hand.connects == 0)
        hand.stores = true
        hand.wait(.seconds(10))
        #expect(hand.news.map(\.end) == [failed])
        #expect(hand.state(of: 1) == .finished)
    }

    @Test func `an end is told once it is kept, and not before`() {
        var hand = DaemonByHand()
        hand.upload()
        hand.connect()
        hand.stores = false
        hand.answer(201)
        #expect(hand.notes.last == .store(.failed(reason: "it did not keep a change")))
        hand.wait(.seconds(10))
        #expect(!hand.news.contains { if case .finished = $0 { true } else { false } })
        hand.stores = true
        #expect(hand.deadline == hand.now + .seconds(10))
        hand.wait(.seconds(10))
        #expect(hand.news.last?.end == .answered(status: 201))
    }

    @Test func `what its app has heard of is gone once the store can forget it`() {
        var hand = DaemonByHand()
        hand.download()
        hand.connect()
        hand.answer(200, [("ETag", "\"v1\""), ("Content-Length", "1")], "a")
        let news = hand.news
        hand.stores = false
        hand.tell(.asked(by: 0, .heard(1)))
        #expect(hand.state(of: 1) == .finished && hand.downloads.count == 1)
        // The next launch hears nothing of it.
        hand.tell(.app(0, .dead))
        hand.tell(.app(0, .inFront))
        hand.tell(.asked(by: 0, .attach(session: "films")))
        hand.stores = true
        hand.wait(.seconds(10))
        #expect(hand.state(of: 1) == nil && hand.downloads.isEmpty)
        #expect(hand.news == news)
        #expect(hand.deadline == nil)
    }

    @Test func `what an attempt has to keep and cannot is its task's end`() {
        var hand = DaemonByHand()
        hand.upload()
        hand.stores = false
        hand.connect()
        #expect(hand.asked.isEmpty)
        #expect(hand.attempts.last == hand.connection.map { .close($0) })
        hand.stores = true
        hand.wait(.seconds(10))
        #expect(hand.news.map(\.end) == [failed])
    }
}

/// What the daemon makes of a store that was found damaged (S7).
@Suite struct LostTasksTests {
    private let setAside = TaskStoreSetAside(
        name: "tasks.sqlite.damaged-1", reason: "a test",
        lost: [TaskID(app: 0, number: 3), TaskID(app: 1, number: 1)])

    private func hand(told: [UInt16] = []) -> DaemonByHand {
        var hand = DaemonByHand()
        var setAside = setAside
        setAside.told = told
        hand.tell(.storeWasSetAside(setAside))
        return hand
    }

    @Test func `an app with a session hears once which of its tasks are lost`() {
        var hand = hand()
        #expect(hand.news == [.lost([3])])
        hand.tell(.asked(by: 0, .heardOfLoss))
        #expect(hand.told == [0])
        hand.tell(.app(0, .dead))
        hand.tell(.app(0, .inFront))
        hand.tell(.asked(by: 0, .attach(session: "films")))
        #expect(hand.news == [.lost([3])])
    }

    @Test func `who died before it had heard of it hears of it at the next launch`() {
        var hand = hand()
        hand.tell(.app(0, .dead))
        hand.tell(.app(0, .inFront))
        #expect(hand.news.count == 1)
        hand.tell(.asked(by: 0, .attach(session: "films")))
        #expect(hand.news == [.lost([3]), .lost([3])])
    }

    @Test func `an app none of whose tasks can be named hears of it, too`() {
        var hand = hand()
        hand.tell(.app(7, .inFront))
        hand.tell(.asked(by: 7, .attach(session: "songs")))
        #expect(hand.news == [.lost([3]), .lost([])])
    }

    @Test func `what was kept waits for word of the network (S13)`() throws {
        var before = DaemonByHand()
        before.upload()
        let kept = try #require(before.kept.values.first)
        var daemon = TransferDaemon(of: "phone", connectionsBefore: 0)
        var outputs: [DaemonOutput] = []
        _ = daemon.handle(.restored([kept]), at: .start, into: &outputs)
        _ = daemon.handle(.storeWasSetAside(setAside), at: .start, into: &outputs)
        #expect(!outputs.contains { connects($0) })
        let wifi = NetworkStatus(
            interface: 0, isCellular: false, isMetered: false, isLowData: false, alive: [0])
        _ = daemon.handle(.network(wifi), at: .start, into: &outputs)
        #expect(outputs.contains { connects($0) })
    }

    private func connects(_ output: DaemonOutput) -> Bool {
        if case .attempt(.connect) = output { true } else { false }
    }

    @Test func `who has heard of it in an earlier start does not hear it again`() {
        #expect(hand(told: [0]).news == [])
    }
}

extension BackgroundTaskRequest {
    fileprivate static let films = BackgroundTaskRequest(
        session: "films",
        TaskRequest(
            "a.mov",
            of: Account(host: "there", port: 80, credentials: CredentialHandle("app"))),
        .upload(from: "a.mov"))
}
