import Quantities
import Testing
import TransferEngine

/// Behaviour A4 to A8 and A10: what the app does with single sessions and with the whole queue.
@Suite struct QueueCommandsTests {
    // MARK: A4

    @Test func `a cancelled session stays, and only run brings it back`() {
        var bench = QueueBench(sessions: 2)
        bench.connect()
        bench.ask(.cancel, 1)
        #expect(bench.state(1) == .cancelled)
        #expect(bench.rows == [1, 2])
        #expect(bench.turns == [1, 2])
        bench.finish()
        bench.wait(.seconds(600))
        #expect(bench.turns == [1, 2])
        bench.ask(.run, 1)
        bench.finish()
        #expect(bench.turns == [1, 2, 1])
        #expect(bench.state(1) == .completed)
    }

    @Test func `cancel ends the running spans before the activation`() {
        var bench = QueueBench(sessions: 1)
        bench.connect()
        bench.forget()
        bench.ask(.cancel, 1)
        #expect(
            bench.heard == [
                "1 did stop file", "1 will stop running", "1 did stop running",
                "1 will deactivate", "1 did deactivate",
            ])
        #expect(bench.outputs.contains(.attempt(.close(ConnectionID(1)))))
    }

    @Test func `a session that waits is cancelled without an activation`() {
        var bench = QueueBench(sessions: 2)
        bench.ask(.cancel, 2)
        #expect(bench.state(2) == .cancelled)
        bench.finish()
        #expect(bench.turns == [1])
    }

    // MARK: A5

    @Test func `a stopped session runs again behind all that waited, five seconds later`() {
        var bench = QueueBench(sessions: 3)
        bench.connect()
        bench.ask(.stop, 1)
        #expect(bench.state(1) == .waiting)
        #expect(bench.rows == [1, 2, 3])
        bench.tell(.command(.queue(.enqueue(QueueBench.request))))
        bench.wait(.seconds(6))
        bench.finish()
        #expect(bench.active == 3)
        bench.finish()
        #expect(bench.turns == [1, 2, 3, 1])
        bench.finish()
        #expect(bench.turns == [1, 2, 3, 1, 4])
    }

    @Test func `with nobody else in the queue it still takes five seconds`() {
        var bench = QueueBench(sessions: 1)
        bench.ask(.stop, 1)
        #expect(bench.active == nil)
        #expect(bench.deadline == .start + .seconds(5))
        bench.wait(.milliseconds(4999))
        #expect(bench.active == nil)
        bench.wait(.milliseconds(1))
        #expect(bench.active == 1)
    }

    @Test func `one that was added later may go before it while it has to wait`() {
        var bench = QueueBench(sessions: 1)
        bench.ask(.stop, 1)
        bench.tell(.command(.queue(.enqueue(QueueBench.request))))
        #expect(bench.active == 2)
    }

    @Test(arguments: [true, false])
    func
        `a turn that has come and cannot be taken is waited for, and not asked for again and again`(
            isOffline: Bool
        )
    {
        var bench = QueueBench(sessions: 1)
        bench.ask(.stop, 1)
        if isOffline {
            bench.tell(.network(.nothing))
        } else {
            bench.tell(.enteredBackground)
            bench.tell(.backgroundTimeExpires(BackgroundTaskID(1)))
        }
        bench.wait(.seconds(5))
        #expect(bench.active == nil)
        #expect(bench.deadline == nil)
        bench.tell(isOffline ? .network(.wifi) : .enteredForeground)
        #expect(bench.active == 1)
    }

    // MARK: A6

    @Test func `a paused session stays active and blocks the queue until it is resumed`() {
        var bench = QueueBench(sessions: 2)
        bench.connect()
        bench.forget()
        bench.ask(.pause, 1)
        #expect(bench.heard == ["1 did stop file", "1 will stop running", "1 did stop running"])
        #expect(bench.deadline == nil)
        bench.wait(.seconds(600))
        #expect(bench.turns == [])
        bench.ask(.resume, 1)
        #expect(bench.heard.last == "1 will start running")
        bench.finish()
        #expect(bench.state(1) == .completed)
        #expect(bench.turns == [2])
    }

    @Test func `a pause outlives the process, and still blocks`() {
        var bench = QueueBench(sessions: 2)
        bench.connect()
        bench.ask(.pause, 1)
        bench.kill()
        #expect(bench.state(1) == .paused)
        #expect(bench.turns == [1, 1])
        #expect(bench.heard.last == "1 did activate")
        bench.ask(.resume, 1)
        bench.finish()
        #expect(bench.turns == [1, 1, 2])
    }

    @Test func `a pause needs no network, and asks for no time in the background`() {
        var bench = QueueBench(sessions: 2)
        bench.ask(.pause, 1)
        bench.ask(.run, 2)
        bench.finish()
        bench.ask(.run, 2)
        bench.tell(.network(.nothing))
        bench.ask(.cancel, 2)
        #expect(bench.state(1) == .paused)
        #expect(bench.active == 1)
        bench.tell(.enteredBackground)
        #expect(!bench.outputs.contains(.beginBackgroundTask(BackgroundTaskID(1))))
    }

    @Test
    func
        `one that was interrupted is work to be done in the background, with or without a network`()
    {
        var bench = QueueBench(sessions: 2)
        bench.ask(.run, 2)
        bench.tell(.network(.nothing))
        bench.ask(.cancel, 2)
        #expect(bench.state(1) == .preempted)
        bench.tell(.enteredBackground)
        #expect(bench.outputs.contains(.beginBackgroundTask(BackgroundTaskID(1))))
    }

    // MARK: A7

    @Test func `run stops the active session, which comes back when the other has ended`() {
        var bench = QueueBench(sessions: 3)
        bench.connect()
        bench.ask(.run, 3)
        #expect(bench.state(1) == .preempted)
        #expect(bench.active == 3)
        bench.finish()
        #expect(bench.turns == [1, 3, 1])
        bench.finish()
        #expect(bench.turns == [1, 3, 1, 2])
    }

    @Test func `nested runs return last in, first out`() {
        var bench = QueueBench(sessions: 4)
        bench.connect()
        bench.ask(.run, 3)
        bench.connect()
        bench.ask(.run, 4)
        for _ in 1...3 { bench.finish() }
        #expect(bench.turns == [1, 3, 4, 3, 1, 2])
    }

    @Test(arguments: [SessionWish.cancel, .stop])
    func `a preemptor that the app ends counts as finished`(verb: SessionWish) {
        var bench = QueueBench(sessions: 3)
        bench.ask(.run, 3)
        bench.ask(verb, 3)
        #expect(bench.turns == [1, 3, 1])
    }

    @Test func `a preemptor that fails counts as finished, and one that is paused blocks`() {
        var bench = QueueBench(sessions: 3)
        bench.ask(.run, 3)
        bench.ask(.pause, 3)
        bench.wait(.seconds(60))
        #expect(bench.turns == [1, 3])
        bench.ask(.cancel, 3)
        #expect(bench.turns == [1, 3, 1])
    }

    @Test func `a paused session that was preempted returns paused`() {
        var bench = QueueBench(sessions: 2)
        bench.ask(.pause, 1)
        bench.ask(.run, 2)
        #expect(bench.state(1) == .preemptedPaused)
        bench.finish()
        #expect(bench.state(1) == .paused)
        #expect(bench.heard.last == "1 did activate")
    }

    @Test func `on a stopped queue the wish is kept until it starts`() {
        var bench = QueueBench(sessions: 3, isStarted: false)
        bench.ask(.run, 3)
        #expect(bench.heard == [])
        bench.tell(.command(.queue(.start)))
        #expect(bench.active == 3)
    }

    @Test func `what is interrupted by a kill comes before the others, and its preemptor first`() {
        var bench = QueueBench(sessions: 4)
        bench.connect()
        bench.ask(.run, 3)
        bench.kill()
        for _ in 1...3 { bench.finish() }
        #expect(bench.turns == [1, 3, 3, 1, 2, 4])
    }

    // MARK: A8, A19

    @Test func `stop ends the running session first, and start goes on with the same`() {
        var bench = QueueBench(sessions: 3)
        bench.finish()
        bench.connect()
        bench.tell(.command(.queue(.stop)))
        #expect(bench.state(2) == .waiting)
        #expect(bench.active == nil)
        let stopped = bench.outputs.lastIndex(of: .tell(.queueMode(.stopped)))
        let ended = bench.outputs.lastIndex(
            of: .tell(.session(SessionID(2), .didDeactivate(.stopped(by: .queue)))))
        if let stopped, let ended { #expect(ended < stopped) } else { Issue.record("no stop") }
        bench.tell(.command(.queue(.start)))
        #expect(bench.turns == [1, 2, 2])
    }

    @Test(arguments: [true, false])
    func `what is put in front while the queue stands comes first, by insertion or by moving`(
        isMoved: Bool
    ) {
        var bench = QueueBench(sessions: 1)
        bench.tell(.command(.queue(.stop)))
        if isMoved {
            bench.tell(.command(.queue(.enqueue(QueueBench.request))))
            bench.tell(.command(.queue(.move(SessionID(2), to: 0))))
        } else {
            bench.tell(.command(.queue(.insert(QueueBench.request, at: 0))))
        }
        #expect(bench.rows == [2, 1])
        bench.tell(.command(.queue(.start)))
        bench.finish()
        #expect(bench.turns == [1, 2, 1])
    }

    @Test func `a stopped queue is passive (A19)`() {
        var bench = QueueBench(sessions: 2)
        bench.connect()
        bench.tell(.command(.queue(.stop)))
        bench.forget()
        bench.wait(.seconds(3600))
        bench.tell(.enteredBackground)
        bench.tell(.enteredForeground)
        #expect(bench.outputs == [])
        #expect(bench.deadline == nil)
    }

    // MARK: A10, A12

    @Test func `a removed session is deleted, and rows move up`() {
        var bench = QueueBench(sessions: 3)
        bench.ask(.remove, 2)
        #expect(bench.rows == [1, 3])
        #expect(bench.kept.count == 2)
        bench.finish()
        #expect(bench.active == 3)
    }

    @Test func `an active session cannot be removed`() {
        var bench = QueueBench(sessions: 1)
        bench.ask(.remove, 1)
        #expect(bench.refusals == [.notInThisState(.remove, SessionID(1), .running)])
        #expect(bench.rows == [1])
        #expect(bench.state(1) == .running)
    }

    @Test func `sessions are moved and inserted where the app wants them`() {
        var bench = QueueBench(sessions: 4, isStarted: false)
        bench.tell(.command(.queue(.move(SessionID(4), to: 0))))
        bench.tell(.command(.queue(.insert(QueueBench.request, at: 1))))
        bench.tell(.command(.queue(.move(SessionID(5), to: 4))))
        #expect(bench.rows == [4, 1, 2, 3, 5])
        bench.kill()
        #expect(bench.rows == [4, 1, 2, 3, 5])
        for _ in 1...5 { bench.finish() }
        #expect(bench.turns == [4, 1, 2, 3, 5])
    }

    @Test func `however often sessions are put between the same two, there is room`() {
        var bench = QueueBench(sessions: 2, isStarted: false)
        for _ in 1...100 { bench.tell(.command(.queue(.insert(QueueBench.request, at: 1)))) }
        #expect(bench.rows == [1] + (3...102).reversed() + [2])
        bench.kill(isStarted: false)
        #expect(bench.rows == [1] + (3...102).reversed() + [2])
    }

    @Test func `who is still on the way into the store keeps its place when all are ranked anew`() {
        var bench = QueueBench(sessions: 3, isStarted: false)
        for _ in 1...32 { bench.tell(.command(.queue(.insert(QueueBench.request, at: 1)))) }
        let before = bench.rows
        bench.isStoreSlow = true
        bench.tell(.command(.queue(.insert(QueueBench.request, at: before.count - 1))))
        // Between these two there is no room any more.
        bench.tell(.command(.queue(.insert(QueueBench.request, at: 1))))
        bench.answer()
        let rows = [1, 37] + before.dropFirst().dropLast() + [36, 3]
        #expect(bench.rows == rows)
        bench.kill(isStarted: false)
        #expect(bench.rows == rows)
    }

    @Test(arguments: [-1, 3]) func `nothing is inserted where no place is`(index: Int) {
        var bench = QueueBench(sessions: 2)
        bench.tell(.command(.queue(.insert(QueueBench.request, at: index))))
        #expect(bench.refusals == [.noSuchPlace(index, count: 2)])
        #expect(bench.rows == [1, 2])
        bench.tell(.command(.queue(.insert(QueueBench.request, at: 2))))
        #expect(bench.rows == [1, 2, 3])
    }

    // MARK: A16, S10

    @Test func `run renews the budget, and nothing else does`() {
        var bench = QueueBench(sessions: 1)
        bench.lose()
        bench.ask(.pause, 1)
        bench.ask(.resume, 1)
        #expect(bench.kept[SessionID(1)]?.failures == 1)
        bench.ask(.run, 1)
        #expect(bench.kept[SessionID(1)]?.failures == 0)
    }

    @Test func `an error is slept off, however often the session is interrupted meanwhile`() {
        var bench = QueueBench(sessions: 1)
        bench.lose()
        bench.tell(.command(.queue(.stop)))
        bench.tell(.command(.queue(.start)))
        #expect(bench.state(1) == .running)
        #expect(bench.heard.last == "1 did activate")
        #expect(bench.deadline == .start + .seconds(2))
        bench.wait(.seconds(2))
        #expect(bench.heard.last == "1 will start running")
    }

    // MARK: Bad input

    @Test func `a session that the queue does not have is refused, whatever is asked of it`() {
        var bench = QueueBench(sessions: 2, isStarted: false)
        for verb in SessionWish.allCases { bench.tell(.command(.queue(.session(verb, .init(3))))) }
        #expect(Set(bench.refusals) == [.noSuchSession(SessionID(3))])
    }

    @Test func `an index that the queue does not have is refused, and says which it has`() {
        var bench = QueueBench(sessions: 2, isStarted: false)
        for index in [-1, 2] { bench.tell(.command(.queue(.move(SessionID(1), to: index)))) }
        #expect(bench.refusals == [.noSuchIndex(-1, count: 2), .noSuchIndex(2, count: 2)])
        #expect(
            bench.refusals[1].message
                == "the queue has no session at index 2: its indices are 0 to 1")
    }

    @Test func `before the engine is initialised a clear error comes back (A17)`() {
        var engine = TransferEngine()
        var outputs: [EngineOutput] = []
        let run = QueueCommand.session(.run, SessionID(1))
        for command in [QueueCommand.start, .enqueue(QueueBench.request), run] {
            _ = engine.handle(.command(.queue(command)), at: .start, into: &outputs)
        }
        #expect(outputs == Array(repeating: .tell(.refused(.queue(.notInitialised))), count: 3))
    }
}

extension NetworkStatus {
    fileprivate static let nothing = NetworkStatus(
        interface: nil, isCellular: false, isMetered: false, isLowData: false, alive: [])
    fileprivate static let wifi = NetworkStatus(
        interface: 0, isCellular: false, isMetered: false, isLowData: false, alive: [0])
}
