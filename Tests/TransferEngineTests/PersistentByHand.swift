import Content
import Protocols
import Quantities
import TransferEngine

/// A persistent session by hand: the store and the file system answer at once, and each of its
/// connections is one that the test connects, has answered, or breaks.
struct PersistentByHand {
    private(set) var now = Instant.start
    private(set) var deadline: Instant?
    private(set) var kept: [SessionID: SessionRecord] = [:]
    /// What the app hears: `1 can accept paths`, `1 starts a`.
    private(set) var heard: [String] = []
    /// What becomes of paths, by the order in which they were added: `1 arrives`, `2 given up`.
    private(set) var ends: [String] = []
    private(set) var reasons: [String] = []
    private(set) var refusals: [QueueRefusal] = []
    private(set) var errors: [Int] = []
    /// Those that are asked for and not closed, in their order.
    private(set) var open: [UInt32] = []
    /// `POST /tus` for each file that is begun, with the connection on which it goes.
    private(set) var requests: [(connection: UInt32, line: String)] = []
    /// How often each was looked at.
    private(set) var inspections: [String] = []
    /// What is there is empty, so that a file has arrived with one answer; others are missing.
    var missing: Set<String> = []
    private var engine = TransferEngine()
    private var answers = 0

    static let account = Account(
        host: "docroot", port: 80, credentials: CredentialHandle("app"))
    static let session = SessionRequest(
        account: account, uploads: [], isPersistent: true, settings: QueueBench.plain)

    init(_ requests: [SessionRequest] = [session]) {
        tell(.restored([]))
        for request in requests { tell(.command(.queue(.enqueue(request)))) }
        tell(.command(.queue(.start)))
    }

    /// One that is open for paths.
    static var opened: Self {
        var hand = Self()
        hand.connect(1)
        hand.forget()
        return hand
    }

    // MARK: What happens

    mutating func tell(_ input: EngineInput) {
        var inputs = [input]
        while !inputs.isEmpty {
            var new: [EngineOutput] = []
            deadline = engine.handle(inputs.removeFirst(), at: now, into: &new)
            for output in new { carryOut(output, &inputs) }
        }
    }

    mutating func ask(_ verb: SessionWish, _ session: UInt64 = 1) {
        tell(.command(.queue(.session(verb, SessionID(session)))))
    }

    mutating func add(
        _ source: String, to destination: String? = nil, of session: UInt64 = 1
    ) {
        let path = SessionRequest.File(
            source: source, destination: destination ?? "in/\(source)")
        tell(.command(.queue(.addPath(path, to: SessionID(session)))))
    }

    mutating func connect(_ connection: UInt32) {
        tell(.attempt(.connected(ConnectionID(connection))))
    }

    /// The server has all of the file that goes on this connection: it was empty.
    mutating func arrive(on connection: UInt32) {
        answers += 1
        answer("201 Created", "Location: /tus/\(answers)\r\n", on: connection)
        answer("204 No Content", "Upload-Offset: 0\r\n", on: connection)
    }

    mutating func answer(_ status: String, _ fields: String = "", on connection: UInt32) {
        let text =
            "HTTP/1.1 \(status)\r\nTus-Resumable: 1.0.0\r\n\(fields)Content-Length: 0\r\n\r\n"
        tell(.attempt(.received(ConnectionID(connection), [.bytes(Array(text.utf8))])))
    }

    mutating func lose(_ connection: UInt32, _ why: Disconnection = .reset) {
        open.removeAll { $0 == connection }
        tell(.attempt(.disconnected(ConnectionID(connection), why)))
    }

    mutating func wait(_ span: TimeSpan) {
        now = now + span
        tell(.wake)
    }

    /// The process ends and is launched again; the app starts its queue.
    mutating func kill() {
        engine = TransferEngine()
        open = []
        tell(.restored(kept.values.sorted { $0.id < $1.id }))  // any order: they are sorted
        tell(.command(.queue(.start)))
    }

    mutating func forget() { (heard, ends, reasons, requests) = ([], [], [], []) }

    // MARK: What can be seen

    func state(_ session: UInt64 = 1) -> SessionState? { kept[SessionID(session)]?.state }

    // MARK: The world

    private mutating func carryOut(_ output: EngineOutput, _ inputs: inout [EngineInput]) {
        switch output {
        case .persist(let ticket, let change):
            if case .put(let record) = change { kept[record.id] = record }
            if case .remove(let session) = change { kept[session] = nil }
            inputs.append(.persisted(ticket))
        case .attempt(.inspect(let transfer, let path)):
            inspections.append(path)
            let empty = SourceFingerprint(size: .zero, modified: 0)
            let inspection: SourceInspection =
                missing.contains(path) ? .missing : .regularFile(empty)
            inputs.append(.attempt(.inspected(transfer, inspection)))
        case .attempt(.connect(let connection, _, _)): open.append(connection.number)
        case .attempt(.close(let connection)), .attempt(.abort(let connection)):
            open.removeAll { $0 == connection.number }
        case .tell(.session(_, .row)), .tell(.session(_, .progress)): break
        case .tell(.session(let session, let callback)): hear(callback, session.number)
        case .note(let note): hear(note.fact)
        case .tell(.refused(.queue(let refusal))): refusals.append(refusal)
        case .attempt, .tell, .askDaemon, .beginBackgroundTask, .endBackgroundTask: break
        }
    }

    private mutating func hear(_ fact: Fact) {
        switch fact {
        case .connection(.request(let connection, let method, let target)):
            requests.append((connection.number, "\(method) \(target)"))
        case .engine(.completes(let transfer)):
            if let path = transfer.path(ofLaunch: 0) { ends.append("\(path.number) arrives") }
        case .engine(.givesUp(let transfer, let because)):
            if let path = transfer.path(ofLaunch: 0) { ends.append("\(path.number) given up") }
            reasons.append(because)
        case .engine(.fails(_, let code, _, _)): errors.append(code)
        default: break
        }
    }

    private mutating func hear(_ callback: SessionCallback, _ session: UInt64) {
        let words =
            switch callback {
            case .willActivate: "will activate"
            case .didActivate: "did activate"
            case .willStartRunning: "will start running"
            case .didStartRunning: "did start running"
            case .canAcceptPaths: "can accept paths"
            case .didStartFile(let name): "starts \(name)"
            case .didStopFile(let name): "stops \(name)"
            case .willStopRunning: "will stop running"
            case .didStopRunning: "did stop running"
            case .willDeactivate: "will deactivate"
            case .didDeactivate: "did deactivate"
            case .progress, .row: "says what it should not"
            }
        heard.append("\(session) \(words)")
    }
}
