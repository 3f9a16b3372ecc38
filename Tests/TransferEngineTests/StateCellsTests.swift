import Quantities
import Testing
import TransferEngine

/// What is counted of state tables: each event at each state that it reaches, also where nothing
/// comes of it; and nothing where nobody asks for it.
@Suite struct StateCellsTests {
    private static func engine(countsCells: Bool = true) -> TransferEngine {
        var engine = TransferEngine()
        if countsCells { engine.countCells() }
        return engine
    }

    /// Two sessions, of which the first has its turn.
    private static func tell(
        _ engine: inout TransferEngine, _ commands: [QueueCommand]
    ) {
        var inputs: [EngineInput] = [.restored([])] + commands.map { .command(.queue($0)) }
        while !inputs.isEmpty {
            var outputs: [EngineOutput] = []
            _ = engine.handle(inputs.removeFirst(), at: .start, into: &outputs)
            for case .persist(let ticket, _) in outputs { inputs.insert(.persisted(ticket), at: 0) }
        }
    }

    private static let two: [QueueCommand] = [
        .enqueue(QueueBench.request), .enqueue(QueueBench.request), .start,
    ]

    @Test func `an event is counted at the state that it met`() throws {
        var engine = Self.engine()
        Self.tell(
            &engine, Self.two + [.session(.pause, SessionID(1)), .session(.pause, SessionID(1))])
        let cells = try #require(engine.cells).sessions
        #expect(cells[.waiting, .itsTurn] == 1)
        #expect(cells[.running, .pause] == 1)
        #expect(cells[.paused, .pause] == 1)
        #expect(cells[.running, .runOther] == 0)
    }

    @Test func `what is refused is counted, and what reaches others is counted with them`() throws {
        var engine = Self.engine()
        Self.tell(
            &engine,
            Self.two + [.session(.resume, SessionID(2)), .session(.run, SessionID(2)), .stop])
        let cells = try #require(engine.cells).sessions
        #expect(cells[.waiting, .resume] == 1)
        #expect(cells[.waiting, .run] == 1)
        #expect(cells[.running, .runOther] == 1)
        #expect(cells[.preempted, .queueStops] + cells[.waiting, .queueStops] == 1)
        #expect(cells[.running, .queueStops] == 1)
    }

    @Test func `nobody counts where nobody asks`() {
        var engine = Self.engine(countsCells: false)
        Self.tell(&engine, Self.two)
        #expect(engine.cells == nil)
    }

    @Test func `the counts of several processes are added`() throws {
        var engine = Self.engine()
        Self.tell(&engine, Self.two)
        var total = ReachedCells()
        for _ in 1...3 { total += try #require(engine.cells) }
        #expect(total.sessions[.waiting, .itsTurn] == 3)
        #expect(total.operations[.ongoing, .done] == 0)
    }
}
