import Quantities
import Testing
import TransferEngine

/// Whoever asks the queue for something by a number hears once what came of it (A26).
@Suite struct RequestAnswerTests {
    private static let nothing = SessionRequest(account: QueueBench.access, uploads: [])

    private func ask(_ command: QueueCommand, _ bench: inout QueueBench) -> [QueueAnswer] {
        bench.forget()
        bench.tell(.command(.queue(command, RequestID(7))))
        return answers(bench)
    }

    private func answers(_ bench: QueueBench) -> [QueueAnswer] {
        bench.outputs.compactMap {
            if case .tell(.answered(RequestID(7), let answer)) = $0 { answer } else { nil }
        }
    }

    @Test func `a session that is accepted is answered with its number, once it is durable`() {
        var bench = QueueBench(sessions: 2, isStarted: false)
        bench.isStoreSlow = true
        #expect(ask(.enqueue(QueueBench.request), &bench).isEmpty)
        bench.answer()
        #expect(answers(bench) == [.session(SessionID(3))])
        // The row is there when the answer comes.
        let last = bench.outputs.last
        #expect(last == .tell(.answered(RequestID(7), .session(SessionID(3)))))
        #expect(ask(.save(QueueBench.request), &bench) == [.session(SessionID(4))])
        #expect(ask(.enqueueSaved(SessionID(4), at: 0), &bench) == [.session(SessionID(4))])
    }

    @Test func `what is refused is answered with the reason`() {
        var bench = QueueBench(sessions: 1, isStarted: false)
        #expect(ask(.enqueue(Self.nothing), &bench) == [.refused(.noFiles)])
        let unknown = SessionID(9)
        #expect(ask(.session(.run, unknown), &bench) == [.refused(.noSuchSession(unknown))])
        #expect(
            ask(.session(.resume, SessionID(1)), &bench)
                == [.refused(.notInThisState(.resume, SessionID(1), .waiting))])
        #expect(
            ask(.move(SessionID(1), to: 5), &bench) == [.refused(.noSuchIndex(5, count: 1))])
    }

    @Test func `what the store does not keep is answered when that is known`() {
        var bench = QueueBench(sessions: 1, isStarted: false)
        bench.isStoreSlow = true
        bench.storeRefuses = true
        #expect(ask(.enqueue(QueueBench.request), &bench).isEmpty)
        bench.answer()
        #expect(answers(bench) == [.refused(.notStored("full"))])
    }

    @Test func `what is done is answered so, even if the store cannot keep it`() {
        var bench = QueueBench(sessions: 1, isStarted: false)
        bench.storeRefuses = true
        #expect(ask(.session(.cancel, SessionID(1)), &bench) == [.done])
        #expect(bench.standings[1]?.state == .cancelled)
        #expect(bench.refusals.isEmpty)
    }

    @Test func `a request that changes nothing in the store is answered at once`() {
        var bench = QueueBench(sessions: 0, isStarted: false)
        bench.isStoreSlow = true
        #expect(ask(.start, &bench) == [.done])
        #expect(ask(.demarcate(false), &bench) == [.done])
        #expect(ask(.stop, &bench) == [.done])
    }

    @Test func `an account is answered with its number, also if there was one like it`() {
        var bench = QueueBench(sessions: 0, isStarted: false)
        let account = QueueAccount(QueueBench.access, name: "home")
        let other = QueueAccount(QueueBench.access, name: "work")
        #expect(ask(.saveAccount(account), &bench) == [.account(AccountID(1))])
        #expect(ask(.saveAccount(account), &bench) == [.account(AccountID(1))])
        #expect(
            ask(.changeAccount(AccountID(1), to: other), &bench) == [.account(AccountID(1))])
        #expect(ask(.deleteAccount(AccountID(1)), &bench) == [.done])
        #expect(
            ask(.deleteAccount(AccountID(1)), &bench) == [.refused(.noSuchAccount(AccountID(1)))])
        bench.storeRefuses = true
        #expect(ask(.saveAccount(account), &bench) == [.refused(.accountNotStored("full"))])
    }

    @Test func `a request before the launch has an answer, too`() {
        var engine = TransferEngine()
        var outputs: [EngineOutput] = []
        _ = engine.handle(.command(.queue(.start, RequestID(7))), at: .start, into: &outputs)
        #expect(outputs.last == .tell(.answered(RequestID(7), .refused(.notInitialised))))
    }

    @Test func `who asks without a number has no answer`() {
        var bench = QueueBench(sessions: 1, isStarted: false)
        bench.ask(.cancel, 1)
        bench.ask(.resume, 1)
        #expect(
            !bench.outputs.contains { if case .tell(.answered) = $0 { true } else { false } })
    }
}
