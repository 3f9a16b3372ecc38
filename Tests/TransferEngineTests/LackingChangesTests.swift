import Quantities
import Testing
import TransferEngine

/// S7: what a store has refused it is asked to keep again, so that no launch finds an older state
/// once its disk is well.
@Suite struct LackingChangesTests {
    private static let pause = TimeSpan.seconds(10)

    @Test func `a cancel that the disk had no room for outlives a later kill`() {
        var bench = QueueBench(sessions: 1)
        bench.storeRefuses = true
        bench.ask(.cancel, 1)
        #expect(bench.state(1) == .running)
        #expect(bench.deadline == bench.now + Self.pause)
        bench.storeRefuses = false
        bench.wait(Self.pause)
        #expect(bench.state(1) == .cancelled)
        #expect(bench.deadline == nil)
        bench.kill()
        #expect(bench.turns == [1])
    }

    @Test func `it is asked for again with the next change that the store keeps`() {
        var bench = QueueBench(sessions: 2)
        bench.storeRefuses = true
        bench.ask(.cancel, 1)
        bench.storeRefuses = false
        bench.ask(.cancel, 2)
        #expect(bench.state(1) == .cancelled)
        #expect(bench.deadline == nil)
    }

    @Test func `a store that goes on refusing is let be for a while each time`() {
        var bench = QueueBench(sessions: 1)
        bench.storeRefuses = true
        bench.ask(.cancel, 1)
        for _ in 1...3 {
            bench.wait(.seconds(9))
            bench.forget()
            bench.wait(.seconds(1))
            #expect(bench.outputs.count == 2, "asked once, and told of one refusal")
            #expect(bench.deadline == bench.now + Self.pause)
        }
    }

    @Test func `a session that was removed does not come back with the next launch`() {
        var bench = QueueBench(sessions: 2, isStarted: false)
        bench.storeRefuses = true
        bench.ask(.remove, 1)
        bench.storeRefuses = false
        bench.wait(Self.pause)
        bench.kill(isStarted: false)
        #expect(bench.rows == [2])
    }

    @Test func `what is changed once more is kept as it was changed last`() {
        var bench = QueueBench(sessions: 1, isStarted: false)
        bench.storeRefuses = true
        bench.ask(.cancel, 1)
        bench.storeRefuses = false
        bench.ask(.run, 1)
        bench.wait(Self.pause)
        #expect(bench.state(1) == .waiting)
    }

    @Test func `an end that the app has heard of is kept in the end`() {
        var bench = QueueBench(sessions: 1)
        bench.connect()
        bench.storeRefuses = true
        bench.ask(.cancel, 1)
        #expect(bench.heard.last == "1 did deactivate")
        bench.storeRefuses = false
        bench.wait(Self.pause)
        #expect(bench.state(1) == .cancelled)
    }

    @Test func `a session that was refused to the app is not kept behind its back`() {
        var bench = QueueBench(sessions: 1, isStarted: false)
        bench.storeRefuses = true
        bench.tell(.command(.queue(.enqueue(QueueBench.request))))
        #expect(bench.refusals == [.notStored("full")])
        bench.storeRefuses = false
        #expect(bench.deadline == nil)
        bench.ask(.cancel, 1)
        #expect(bench.kept.count == 1)
    }

    @Test func `nor is one that was refused after it had got another place`() {
        var bench = QueueBench(sessions: 2, isStarted: false)
        // Once in a while there is no room between the first two, and all get new places.
        for insertion in 1...70 {
            bench.isStoreSlow = true
            bench.storeRefuses = true
            bench.tell(.command(.queue(.enqueue(QueueBench.request))))
            bench.storeRefuses = false
            bench.tell(.command(.queue(.insert(QueueBench.request, at: 1))))
            bench.answer()
            #expect(bench.refusals.count == insertion)
            #expect(Set(bench.kept.keys.map(\.number)) == Set(bench.rows))
        }
    }

    // MARK: Resumable transfers

    @Test func `a resumable transfer that was terminated is gone once the disk is well`() {
        var hand = EntriesByHand()
        hand.upload(1)
        hand.begun()
        hand.storeRefuses = true
        hand.terminate(1)
        #expect(hand.told.last == "1 ended 810")
        #expect(hand.stored[EntryID(1)] != nil)
        hand.storeRefuses = false
        hand.wait(Self.pause)
        #expect(hand.stored[EntryID(1)] == nil)
        #expect(hand.told.filter { $0 == "1 ended 810" }.count == 1)
    }

    @Test func `one that was refused to the app is not kept behind its back, either`() {
        var hand = EntriesByHand()
        hand.storeRefuses = true
        hand.upload(1)
        hand.storeRefuses = false
        #expect(hand.deadline == nil)
        hand.wait(Self.pause)
        #expect(hand.stored.isEmpty)
    }

    // MARK: The daemon

    @Test func `a task that was suspended does not run after a restart of the phone`() {
        var hand = DaemonByHand()
        hand.upload()
        hand.stores = false
        hand.tell(.asked(by: 0, .suspend(1)))
        #expect(hand.state(of: 1) == .running)
        hand.stores = true
        hand.wait(Self.pause)
        #expect(hand.state(of: 1) == .suspended)
        #expect(hand.deadline == nil)
    }

    @Test func `the tasks of an app whose data was cleared go once the disk is well`() {
        var hand = DaemonByHand()
        hand.upload()
        hand.stores = false
        hand.tell(.app(0, .cleared))
        #expect(hand.state(of: 1) == .running)
        hand.stores = true
        hand.wait(Self.pause)
        #expect(hand.state(of: 1) == nil)
    }
}
