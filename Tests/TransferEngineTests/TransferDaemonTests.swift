import Protocols
import Quantities
import Testing
import TransferEngine

@Suite struct TransferDaemonTests {
    @Test func `a task does nothing until it is resumed (B1)`() {
        var hand = DaemonByHand()
        let request = BackgroundTaskRequest(
            session: "films",
            TaskRequest(
                "a.mov",
                of: Account(host: "there", port: 80, credentials: CredentialHandle("app"))),
            .upload(from: "a.mov"))
        hand.tell(.asked(by: 0, .create(1, request)))
        #expect(hand.state(of: 1) == .suspended)
        #expect(hand.connects == 0)
        hand.tell(.asked(by: 0, .resume(1)))
        #expect(hand.state(of: 1) == .running)
        #expect(hand.connects == 1)
    }

    @Test func `an answer is no error, whatever its status (B8)`() {
        for status in [201, 404, 503] {
            var hand = DaemonByHand()
            hand.upload()
            hand.connect()
            hand.answer(status)
            #expect(
                hand.news.map(\.end) == [.answered(status: status)])
        }
    }

    @Test func `the end of a task waits for its own session, not for another one (B7)`() {
        var hand = DaemonByHand()
        hand.upload()
        hand.tell(.app(0, .dead))
        hand.connect()
        hand.answer(201)
        hand.tell(.app(0, .inFront))
        hand.tell(.asked(by: 0, .attach(session: "songs")))
        #expect(hand.news.isEmpty)
        hand.tell(.asked(by: 0, .attach(session: "films")))
        #expect(hand.news.map(\.end) == [.answered(status: 201)])
    }

    @Test func `a task whose network is lost goes on at once over another one (S10)`() throws {
        var hand = DaemonByHand()
        hand.upload()
        hand.connect()
        let connection = try #require(hand.connection)
        hand.tell(.attempt(.disconnected(connection, .networkLost)))
        #expect(hand.connects == 2, "no pause, as that was no failure")
    }

    @Test func `a task that never finds the network that is there waits for a while`() throws {
        var hand = DaemonByHand()
        hand.tell(.network(.wifi))
        hand.upload()
        let connection = try #require(hand.connection)
        hand.tell(.attempt(.disconnected(connection, .networkLost)))
        #expect(hand.connects == 1, "another attempt at once could go on for ever")
        hand.wait(.seconds(2))
        #expect(hand.connects == 2)
    }

    @Test func `the same key goes with every attempt, and another with every task (S8)`() {
        var hand = DaemonByHand()
        hand.upload()
        hand.connect()
        hand.wait(.seconds(60))
        hand.wait(.seconds(2))
        hand.connect()
        hand.upload(2)
        hand.connect()
        let keys = hand.asked.map { $0.fields["Idempotency-Key"] }
        #expect(keys.count == 3 && keys[0] != nil)
        #expect(keys[0] == keys[1] && keys[1] != keys[2])
    }

    @Test func `a request times out after 60 s and is tried again for 7 days (B10)`() {
        var hand = DaemonByHand()
        hand.upload()
        while hand.state(of: 1) == .running, let deadline = hand.deadline {
            hand.now = max(deadline, hand.now)
            hand.tell(.wake)
        }
        #expect(hand.now == .start + .seconds(7 * 24 * 3600))
        #expect(hand.news.map(\.end) == [.failed(.timedOut)])
        #expect(hand.connects > 5000)
    }

    @Test func `what the app has not confirmed is told to its next launch (B7)`() {
        var hand = DaemonByHand()
        hand.upload()
        hand.connect()
        hand.tell(.app(0, .dead))
        hand.answer(201)
        #expect(hand.wakes == 1)
        #expect(hand.news == [])
        hand.tell(.app(0, .behind))
        #expect(hand.news == [.eventsWait(session: "films")])
        hand.tell(.asked(by: 0, .attach(session: "films")))
        let end = ToldEnd.answered(status: 201)
        #expect(
            hand.news.map(\.end) == [nil, end, nil]
                && hand.news.last == .eventsEnd(session: "films"))
        // Killed before it has confirmed: it is told again, and no more once it has.
        hand.tell(.app(0, .dead))
        hand.tell(.app(0, .inFront))
        hand.tell(.asked(by: 0, .attach(session: "films")))
        #expect(hand.news.last?.end == end)
        hand.tell(.asked(by: 0, .heard(1)))
        #expect(hand.state(of: 1) == nil)
        // Nothing is kept of it, and it can be neither resumed nor suspended.
        for request in [DaemonRequest.resume(1), .suspend(1), .cancel(1, keepingPart: false)] {
            hand.tell(.asked(by: 0, request))
        }
        #expect(
            hand.news.suffix(2) == [.refused(.noSuchTask(1)), .refused(.noSuchTask(1))])
    }

    @Test func `an app is woken once all of its session is done, and not for each task (B7)`() {
        var hand = DaemonByHand()
        hand.upload()
        hand.connect()
        let first = hand.connection
        hand.upload(2)
        hand.connect()
        hand.tell(.app(0, .dead))
        hand.answer(201)
        #expect(hand.state(of: 2) == .finished && hand.wakes == 0)
        hand.answer(201, on: first)
        #expect(hand.wakes == 1)
    }

    @Test func `who is opened by the user has no handler, whatever he was to be woken for (B2)`() {
        var hand = DaemonByHand()
        hand.upload()
        hand.connect()
        hand.tell(.app(0, .dead))
        hand.answer(201)
        #expect(hand.wakes == 1)
        hand.tell(.app(0, .inFront))
        hand.tell(.asked(by: 0, .attach(session: "films")))
        #expect(hand.news.map(\.end) == [.answered(status: 201)])
    }

    @Test func `the week begins with the first resumption, and not again with others (B10)`() {
        var hand = DaemonByHand()
        hand.upload()
        hand.wait(.seconds(1))
        hand.tell(.asked(by: 0, .suspend(1)))
        hand.wait(.seconds(3 * 24 * 3600))
        hand.tell(.asked(by: 0, .resume(1)))
        let week = Instant.start + .seconds(7 * 24 * 3600)
        #expect(hand.kept[TaskID(app: 0, number: 1)]?.deadline == week)
    }

    @Test func `a task whose network is gone leaves it, and says again what it waits for (B13)`() {
        var hand = DaemonByHand()
        hand.tell(.network(.wifi))
        hand.upload()
        hand.upload(2, limits: .noCellular)
        hand.tell(.network(.cellular))
        #expect(hand.connects == 3)
        hand.tell(.asked(by: 0, .suspend(2)))
        hand.tell(.asked(by: 0, .resume(2)))
        #expect(hand.obstacles == ["it may not use cellular", "it may not use cellular"])
    }

    @Test func `a force-quit cancels, and nobody is woken for it (B6)`() {
        var hand = DaemonByHand()
        hand.upload()
        hand.connect()
        hand.tell(.app(0, .thrownOut))
        #expect(hand.attempts.last == hand.connection.map { .abort($0) })
        #expect(hand.wakes == 0)
        hand.tell(.app(0, .inFront))
        hand.tell(.asked(by: 0, .attach(session: "films")))
        #expect(hand.news.map(\.end) == [.failed(.cancelled)])
    }

    private static let cellular = NetworkStatus(
        interface: 1, isCellular: true, isMetered: true, isLowData: false, alive: [1])

    @Test func `a restart goes on from the store (B5)`() {
        var hand = DaemonByHand()
        hand.upload()
        var next = DaemonByHand()
        next.tell(.restored(hand.kept.values.map { $0 }))
        #expect(next.deadline == next.now)
        next.tell(.wake)
        #expect(next.connects == 1)
    }

    @Test func `after a restart nothing begins before the network is known (S13)`() {
        var hand = DaemonByHand()
        hand.upload(limits: .noCellular)
        var next = DaemonByHand()
        next.tell(.restored(hand.kept.values.map { $0 }))
        next.tell(.network(Self.cellular))
        next.tell(.wake)
        #expect(next.connects == 0)
    }

    @Test func `a task of an app that was cleared does not come back with the power (B5)`() {
        var hand = DaemonByHand()
        hand.upload()
        hand.download(2)
        let kept = hand.kept
        hand.tell(.app(0, .cleared))
        hand.tell(.asked(by: 0, .attach(session: "films")))
        hand.upload(3)
        // The store had heard of some of it.
        let left = [kept[TaskID(app: 0, number: 2)], hand.kept[TaskID(app: 0, number: 3)]]
        let records = left.compactMap(\.self)
        #expect(records.map(\.installation) == [0, 1])
        var next = DaemonByHand()
        next.kept = Dictionary(uniqueKeysWithValues: records.map { ($0.id, $0) })
        next.tell(.restored(records, clearings: [1]))
        next.tell(.wake)
        #expect(next.connects == 1)
        #expect(next.kept.keys.map(\.number) == [3])
    }

    @Test func `what is made in the background waits, longer after each waking (B11)`() {
        var hand = DaemonByHand(stage: .behind)
        hand.upload()
        #expect(hand.connects == 0)
        hand.wait(.seconds(60))
        #expect(hand.connects == 1)
        hand.connect()
        hand.tell(.app(0, .suspended))
        hand.answer(201)
        #expect(hand.wakes == 1)
        hand.tell(.app(0, .behind))
        hand.upload(2)
        hand.wait(.seconds(119))
        #expect(hand.connects == 1)
        // In front nothing is delayed any more.
        hand.tell(.app(0, .inFront))
        #expect(hand.connects == 2)
        hand.tell(.app(0, .behind))
        hand.upload(3)
        hand.wait(.seconds(60))
        #expect(hand.connects == 3)
    }

    @Test func `what waits as it was made in the background is told, and for how long (B11)`() {
        var hand = DaemonByHand(stage: .behind)
        let task = TaskID(app: 0, number: 1)
        hand.upload()
        #expect(hand.notes.contains(.engine(.delays(task.name, by: .seconds(60)))))
        #expect(hand.woken == 0)
        // The delay is over for good, also after a restart.
        #expect(hand.kept[task]?.notBefore == .start + .seconds(60))
        hand.tell(.app(0, .inFront))
        #expect(hand.kept[task]?.notBefore == nil)
        hand.connect()
        hand.tell(.app(0, .dead))
        hand.answer(201)
        // Only now does it run: the system may have had a reason not to start it.
        #expect(hand.wakes == 1 && hand.woken == 0)
        hand.tell(.app(0, .behind))
        #expect(hand.woken == 1)
    }

    @Test func `a restart makes the delay no shorter (B11)`() {
        var hand = DaemonByHand(stage: .behind)
        hand.upload()
        hand.wait(.seconds(60))
        hand.connect()
        hand.tell(.app(0, .dead))
        hand.answer(201)
        #expect(hand.delays == [])
        hand.tell(.app(0, .behind))
        #expect(hand.delays == [BackgroundDelay(of: 0, .seconds(120))])
        var next = DaemonByHand()
        next.tell(.restored([], delays: hand.delays))
        next.tell(.app(0, .behind))
        next.upload(2)
        #expect(next.deadline == next.now + .seconds(120))
        next.tell(.app(0, .inFront))
        #expect(next.delays == [BackgroundDelay(of: 0, .seconds(60))])
        next.delays = []
        next.tell(.app(0, .inFront))
        #expect(next.delays == [])
    }

    @Test func `going behind by itself is no waking, and makes no delay longer (B11)`() {
        var hand = DaemonByHand()
        hand.upload()
        hand.connect()
        hand.tell(.app(0, .suspended))
        hand.answer(201)
        hand.tell(.app(0, .inFront))
        hand.tell(.app(0, .behind))
        hand.upload(2)
        #expect(hand.woken == 0)
        #expect(hand.deadline == hand.now + .seconds(60))
    }

    @Test func `a number is that of one task (B1)`() {
        var hand = DaemonByHand()
        hand.upload()
        hand.upload()
        #expect(hand.connects == 1)
        #expect(hand.news == [.refused(.numberIsTaken(1))])
    }

    @Test func `who cannot hear that something is refused is not told later`() {
        var hand = DaemonByHand()
        hand.upload()
        hand.tell(.app(0, .suspended))
        hand.upload()
        hand.tell(.app(0, .inFront))
        #expect(hand.news == [])
    }

    @Test func `however often an app is woken, its tasks wait 7 days at most (B11)`() {
        var hand = DaemonByHand()
        for number in 1...40 as ClosedRange<UInt64> {
            hand.tell(.app(0, .behind))
            hand.upload(number)
            hand.tell(.app(0, .suspended))
            hand.wait(.seconds(7 * 24 * 3600))
        }
        #expect(hand.wakes == 40)
        hand.tell(.app(0, .behind))
        hand.upload(41)
        #expect(hand.deadline == hand.now + .seconds(7 * 24 * 3600))
    }

    @Test func `without Wi-Fi a task that may not use cellular waits (B13)`() {
        var hand = DaemonByHand()
        hand.tell(.network(.cellular))
        hand.upload(limits: .noCellular)
        #expect(hand.connects == 0)
        #expect(hand.obstacles == ["it may not use cellular"])
        hand.tell(.network(.wifi))
        #expect(hand.connects == 1)
        hand.tell(.network(.cellular))
        #expect(hand.attempts.last == hand.connection.map { .close($0) })
    }

    @Test func `what was begun over cellular goes over Wi-Fi as soon as there is one (B13)`() {
        var hand = DaemonByHand()
        hand.tell(.network(.cellular))
        hand.upload()
        let first = hand.connection
        hand.connect()
        hand.tell(.network(.wifi))
        #expect(hand.attempts.contains { $0 == first.map { .abort($0) } })
        #expect(hand.connects == 2)
        // And what goes over Wi-Fi stays there.
        hand.connect()
        hand.tell(.network(.wifi))
        #expect(hand.connects == 2)
    }

    @Test func `what is discretionary waits for Wi-Fi and a charger (B11)`() {
        var hand = DaemonByHand()
        hand.tell(.network(.cellular))
        hand.upload(isDiscretionary: true)
        hand.tell(.network(.wifi))
        #expect(hand.connects == 0)
        hand.tell(.charger(isConnected: true))
        #expect(hand.connects == 1)
        #expect(hand.obstacles == ["it waits for Wi-Fi", "it waits for a charger"])
    }

    @Test func `what was asked before the store had the task follows then`() {
        var daemon = TransferDaemon(of: "phone", connectionsBefore: 0)
        var outputs: [DaemonOutput] = []
        let request = BackgroundTaskRequest(
            session: "films",
            TaskRequest(
                "a.mov",
                of: Account(host: "there", port: 80, credentials: CredentialHandle("app"))),
            .upload(from: "a.mov"))
        for input in [
            DaemonInput.restored([]), .asked(by: 0, .create(1, request)),
            .asked(by: 0, .resume(1)),
        ] { _ = daemon.handle(input, at: .start, into: &outputs) }
        #expect(!outputs.contains { if case .note = $0 { true } else { false } })
        _ = daemon.handle(.persisted(PersistTicket(1)), at: .start, into: &outputs)
        let notes = outputs.compactMap { if case .note(let note) = $0 { note } else { nil } }
        #expect(notes.count == 2)
    }
}

extension NetworkStatus {
    fileprivate static let wifi = NetworkStatus(
        interface: 0, isCellular: false, isMetered: false, isLowData: false, alive: [0, 1])
    fileprivate static let cellular = NetworkStatus(
        interface: 1, isCellular: true, isMetered: true, isLowData: false, alive: [1])
}
