import Quantities
import Testing
import TransferEngine

/// Behaviour A9, A13 and A18: what the queue takes, and what it refuses whole.
@Suite struct EnqueueTests {
    static let refusals: [(SessionRequest, QueueRefusal)] = [
        (request(host: ""), .accountWithoutHost),
        (request(credentials: ""), .accountWithoutCredentials),
        (request(files: []), .noFiles),
        (request(files: [("/etc/passwd", "x")]), .sourceOutsideContainer("/etc/passwd")),
        (request(files: [("../other/a", "x")]), .sourceOutsideContainer("../other/a")),
        (request(files: [("a", "../x")]), .destinationOutsideDocroot("../x")),
        // To people this “/” is another letter, to a disk it is not.
        (request(files: [("a", "../\u{301}x")]), .destinationOutsideDocroot("../\u{301}x")),
        (request(files: [("a", "x/../../y")]), .destinationOutsideDocroot("x/../../y")),
        (request(files: [("a", "")]), .destinationOutsideDocroot("")),
    ]

    @Test(arguments: refusals) func `a session that lacks something is refused and says what`(
        request: SessionRequest, refusal: QueueRefusal
    ) {
        #expect(outputs(of: request) == [.tell(.refused(.queue(refusal)))])
    }

    @Test func `a session is accepted when the store has it, and not before`() throws {
        var (engine, outputs) = enqueued()
        guard case .persist(let ticket, .put(let record)) = try #require(outputs.last),
            case .persist(_, .putAccount) = outputs.first, outputs.count == 2
        else {
            Issue.record("\(outputs)")
            return
        }
        #expect(record.state == .waiting)
        outputs = []
        _ = engine.handle(.command(.queue(.start)), at: .start, into: &outputs)
        #expect(
            outputs == [.tell(.queueMode(.running))], "nothing runs that was not accepted")
        outputs = []
        _ = engine.handle(.persisted(ticket), at: .start, into: &outputs)
        #expect(outputs.lazy.compactMap(\.fact).first == Self.accepted(record))
        #expect(outputs.contains(.tell(.session(record.id, .willActivate))))
    }

    @Test func `a session that the store cannot keep is refused, and the next one is not`() throws {
        var (engine, outputs) = enqueued()
        _ = engine.handle(.command(.queue(.start)), at: .start, into: &outputs)
        outputs = []
        for ticket in [1, 2] as [UInt64] {
            let failed = EngineInput.persistFailed(PersistTicket(ticket), reason: "disk full")
            _ = engine.handle(failed, at: .start, into: &outputs)
        }
        #expect(outputs.contains(.tell(.refused(.queue(.notStored("disk full"))))))
        outputs = []
        _ = engine.handle(.command(.queue(.enqueue(Self.request()))), at: .start, into: &outputs)
        guard case .persist(let ticket, .put(let record)) = try #require(outputs.last) else {
            Issue.record("\(outputs)")
            return
        }
        _ = engine.handle(.persisted(ticket), at: .start, into: &outputs)
        #expect(outputs.contains { $0.fact == Self.accepted(record) })
    }

    @Test func `a session that was refused by the store has its number when it is asked for again`()
    {
        var engine = TransferEngine()
        var records: [SessionRecord] = []
        func ask(_ file: String, isKept: Bool) {
            var outputs: [EngineOutput] = []
            let request = Self.request(files: [(file, file)])
            _ = engine.handle(.command(.queue(.enqueue(request))), at: .start, into: &outputs)
            guard case .persist(let ticket, .put(let record)) = outputs.last else { return }
            records.append(record)
            let answer: EngineInput =
                isKept ? .persisted(ticket) : .persistFailed(ticket, reason: "disk full")
            _ = engine.handle(answer, at: .start, into: &outputs)
        }
        var outputs: [EngineOutput] = []
        _ = engine.handle(.restored([]), at: .start, into: &outputs)
        for (file, isKept) in [("a", false), ("b", false), ("c", true), ("b", true), ("a", true)] {
            ask(file, isKept: isKept)
        }
        #expect(records.map(\.id.number) == [1, 2, 3, 2, 1])
        #expect(records.map { $0.transfers[0].id.number } == [1, 2, 3, 2, 1])
    }

    @Test(arguments: [true, false])
    func `two sessions that are inserted at one place stand as they were inserted`(isFast: Bool) {
        var engine = TransferEngine()
        var outputs: [EngineOutput] = []
        var rows: [UInt64] = []
        func tell(_ input: EngineInput) {
            outputs = []
            _ = engine.handle(input, at: .start, into: &outputs)
            for case .tell(.session(let id, .row(.inserted(let index)))) in outputs {
                rows.insert(id.number, at: index)
            }
        }
        var tickets: [PersistTicket] = []
        func insert(_ file: String, at index: Int) {
            let request = Self.request(files: [(file, file)])
            tell(.command(.queue(.insert(request, at: index))))
            for case .persist(let ticket, .put) in outputs { tickets.append(ticket) }
            if isFast { persist() }
        }
        func persist() {
            for ticket in tickets { tell(.persisted(ticket)) }
            tickets = []
        }
        tell(.restored([]))
        insert("a", at: 0)
        persist()
        insert("b", at: 1)
        persist()
        // More than there is room for between two ranks.
        for number in 0..<40 { insert("c\(number)", at: 1) }
        insert("last", at: 42)
        persist()
        #expect(rows == [1] + (3...42).reversed() + [2, 43])
    }

    private func enqueued() -> (TransferEngine, [EngineOutput]) {
        var engine = TransferEngine()
        var outputs: [EngineOutput] = []
        _ = engine.handle(.restored([]), at: .start, into: &outputs)
        _ = engine.handle(.command(.queue(.enqueue(Self.request()))), at: .start, into: &outputs)
        return (engine, outputs)
    }

    private func outputs(of request: SessionRequest) -> [EngineOutput] {
        var engine = TransferEngine()
        var outputs: [EngineOutput] = []
        _ = engine.handle(.restored([]), at: .start, into: &outputs)
        let deadline = engine.handle(
            .command(.queue(.enqueue(request))), at: .start, into: &outputs)
        #expect(deadline == nil, "a queue that was not started is passive")
        return outputs
    }

    private static func accepted(_ record: SessionRecord) -> Fact {
        let files = record.transfers.map {
            AcceptedTransfer(
                transfer: $0.id.name, source: $0.source, destination: $0.destination)
        }
        return .engine(.accepts(record.id.name, index: 0, files))
    }

    static func request(
        host: String = "docroot", credentials: String = "app",
        files: [(String, String)] = [("a", "x")]
    ) -> SessionRequest {
        SessionRequest(
            account: Account(host: host, port: 80, credentials: CredentialHandle(credentials)),
            uploads: files.map { SessionRequest.File(source: $0.0, destination: $0.1) })
    }
}
