import Quantities
import Testing
import TransferEngine

/// Behaviour A11, and the column *expiry* of its state table.
@Suite struct BackgroundTimeTests {
    /// An engine by hand: what it wants done is kept, the store answers when it is asked to.
    struct Bench {
        var engine: TransferEngine
        var outputs: [EngineOutput] = []

        init(asksForTime: Bool = true) {
            engine = TransferEngine(asksForBackgroundTime: asksForTime)
            take(.restored([]))
        }

        mutating func take(_ input: EngineInput) {
            _ = engine.handle(input, at: .start, into: &outputs)
        }

        /// Two sessions are queued, and the first has a connection that stands.
        static func running(asksForTime: Bool = true) -> Bench {
            var bench = Bench(asksForTime: asksForTime)
            bench.take(.command(.queue(.enqueue(KilledAnywhereTests.request("a", to: "x")))))
            bench.take(.command(.queue(.enqueue(KilledAnywhereTests.request("a", to: "y")))))
            bench.store()
            bench.take(.command(.queue(.start)))
            bench.take(.attempt(.connected(ConnectionID(1))))
            return bench
        }

        /// The store keeps its latest promise, and with it all before.
        mutating func store() {
            let tickets = outputs.compactMap {
                if case .persist(let ticket, _) = $0 { ticket } else { nil }
            }
            for ticket in tickets { take(.persisted(ticket)) }
        }

        func tasks() -> [String] {
            outputs.compactMap { output in
                switch output {
                case .beginBackgroundTask(let task): "begin \(task.number)"
                case .endBackgroundTask(let task): "end \(task.number)"
                default: nil
                }
            }
        }

        func callbacks() -> [SessionCallback] {
            outputs.compactMap { output in
                switch output {
                case .tell(.session(_, .row)): nil
                case .tell(.session(_, let callback)): callback
                default: nil
                }
            }
        }

        func hasBegun(attempt: Int) -> Bool {
            outputs.contains { $0.engineFact == .attempt(ItemName(1), number: attempt) }
        }

        func moves() -> [ItemStage] {
            outputs.compactMap {
                if case .moves(_, _, let to, _)? = $0.engineFact { to } else { nil }
            }
        }
    }

    @Test func `time is asked for behind while there is work, and given back in front`() {
        var bench = Bench.running()
        #expect(bench.tasks() == [])
        bench.take(.enteredBackground)
        bench.take(.enteredBackground)
        #expect(bench.tasks() == ["begin 1"])
        bench.take(.enteredForeground)
        bench.take(.enteredBackground)
        #expect(bench.tasks() == ["begin 1", "end 1", "begin 2"])
    }

    @Test func `without work no time is asked for`() {
        var bench = Bench()
        bench.take(.enteredBackground)
        #expect(bench.tasks() == [])
        bench.take(.command(.queue(.enqueue(KilledAnywhereTests.request("a", to: "x")))))
        #expect(bench.tasks() == ["begin 1"])
        bench.store()
        #expect(bench.tasks() == ["begin 1", "end 1"])
    }

    @Test func `with the switch off nothing is asked for`() {
        var bench = Bench.running(asksForTime: false)
        bench.take(.enteredBackground)
        #expect(bench.tasks() == [])
    }

    @Test func `the app switches it off and on while it is behind (A11)`() {
        var bench = Bench.running()
        bench.take(.enteredBackground)
        bench.take(.command(.queue(.demarcate(false))))
        #expect(bench.tasks() == ["begin 1", "end 1"])
        #expect(bench.callbacks().last != .didDeactivate(.stopped(by: .expiry)))
        bench.take(.command(.queue(.demarcate(true))))
        #expect(bench.tasks() == ["begin 1", "end 1", "begin 2"])
    }

    @Test func `at expiry the session stops, and the task ends when that is durable`() {
        var bench = Bench.running()
        bench.take(.enteredBackground)
        bench.outputs = []
        bench.take(.backgroundTimeExpires(BackgroundTaskID(1)))
        #expect(bench.moves() == [.waiting])
        #expect(bench.tasks() == [])
        #expect(bench.outputs.contains(.attempt(.close(ConnectionID(1)))))
        bench.store()
        #expect(
            bench.callbacks() == [
                .didStopFile(name: "a"), .willStopRunning, .didStopRunning, .willDeactivate,
                .didDeactivate(.stopped(by: .expiry)),
            ])
        #expect(bench.tasks() == ["end 1"])
    }

    @Test func `after an expiry nothing begins until the app is in front, then first in line`() {
        var bench = Bench.running()
        bench.take(.enteredBackground)
        bench.take(.backgroundTimeExpires(BackgroundTaskID(1)))
        bench.store()
        bench.outputs = []
        bench.take(.command(.queue(.enqueue(KilledAnywhereTests.request("a", to: "z")))))
        bench.store()
        bench.take(.enteredBackground)
        #expect(bench.moves() == [])
        #expect(bench.tasks() == [])
        bench.take(.enteredForeground)
        #expect(bench.moves() == [.running])
        #expect(bench.outputs.contains(.tell(.session(SessionID(1), .willActivate))))
    }

    @Test func `a session that sleeps an error off is stopped, and its budget stays spent`() {
        var bench = Bench.running()
        bench.take(.attempt(.disconnected(ConnectionID(1), .reset)))
        bench.take(.enteredBackground)
        bench.outputs = []
        bench.take(.backgroundTimeExpires(BackgroundTaskID(1)))
        bench.store()
        #expect(bench.callbacks() == [.willDeactivate, .didDeactivate(.stopped(by: .expiry))])
        bench.take(.enteredForeground)
        // The pause is not over for that (S10).
        #expect(!bench.hasBegun(attempt: 2))
        bench.outputs = []
        _ = bench.engine.handle(.wake, at: .start + .seconds(2), into: &bench.outputs)
        #expect(bench.hasBegun(attempt: 2))
    }

    @Test func `a session whose connection does not stand yet never says will stop running`() {
        var bench = Bench()
        bench.take(.command(.queue(.enqueue(KilledAnywhereTests.request("a", to: "x")))))
        bench.store()
        bench.take(.command(.queue(.start)))
        bench.take(.enteredBackground)
        bench.outputs = []
        bench.take(.backgroundTimeExpires(BackgroundTaskID(1)))
        bench.store()
        #expect(bench.callbacks().first == .didStopRunning)
    }

    @Test func `a task that is ended expires no more`() {
        var bench = Bench.running()
        bench.take(.enteredBackground)
        bench.take(.enteredForeground)
        bench.outputs = []
        bench.take(.backgroundTimeExpires(BackgroundTaskID(1)))
        #expect(bench.outputs == [])
    }

    @Test func `what is settled already is told as it ended`() {
        var bench = Bench.running()
        bench.take(.attempt(.inspected(TransferID(1), .missing)))
        bench.take(.enteredBackground)
        bench.outputs.removeAll { if case .persist = $0 { false } else { true } }
        bench.take(.backgroundTimeExpires(BackgroundTaskID(1)))
        bench.store()
        #expect(bench.callbacks().last == .didDeactivate(.failed(.noSuchFile)))
        #expect(bench.tasks() == ["end 1"])
    }
}
