import Quantities
import Testing
import TransferEngine

/// Putting a session in front of a queue that stands.
@Suite struct PlaceInFrontTests {
    /// A crash between two changes would leave the one without the other (S7).
    @Test func `a place in front and the turn that follows from it are one change (A8)`() {
        var bench = QueueBench(sessions: 2)
        bench.connect()
        bench.tell(.command(.queue(.stop)))
        bench.forget()
        bench.tell(.command(.queue(.move(SessionID(2), to: 0))))
        let changes = bench.outputs.filter { if case .persist = $0 { true } else { false } }
        #expect(changes.count == 1)
        #expect(bench.rows == [2, 1])
        bench.tell(.command(.queue(.start)))
        #expect(bench.turns.last == 2)
    }
}
