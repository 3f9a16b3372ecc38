import Testing
import TransferEngine

/// What a queue asks to be woken for.
@Suite struct QueueTimerTests {
    @Test func `a stopped queue asks for no time, whoever is to run again later`() {
        var bench = QueueBench(sessions: 1)
        bench.connect()
        bench.ask(.stop, 1)
        #expect(bench.deadline != nil)
        bench.tell(.command(.queue(.stop)))
        #expect(bench.deadline == nil)
    }
}
