import Content
import Protocols
import Quantities
import TransferEngine

/// Upload operations without a world: a test says what happens, and sees what comes of it.
struct OperationsByHand {
    var engine = TransferEngine(identity: 7)
    var now = Instant.start
    var deadline: Instant?
    /// What the app was told, without progress.
    var told: [String] = []
    var refusals: [OperationRefusal] = []
    var tokens: [TokenStep] = []
    /// The requests, each with its connection and its key, if it has one.
    var requests: [(connection: ConnectionID, line: String, key: String?)] = []
    /// Connections that are asked for and open, in their order.
    var open: [ConnectionID] = []
    var source: SourceInspection = .regularFile(
        SourceFingerprint(size: ByteCount(1000), modified: 1))

    init() { tell(.restored([])) }

    mutating func tell(_ input: EngineInput) {
        var outputs: [EngineOutput] = []
        deadline = engine.handle(input, at: now, into: &outputs)
        for output in outputs {
            switch output {
            case .attempt(.inspect(let transfer, _)): tell(.attempt(.inspected(transfer, source)))
            case .attempt(.connect(let connection, _, _)): open.append(connection)
            case .attempt(.close(let connection)), .attempt(.abort(let connection)):
                open.removeAll { $0 == connection }
            case .tell(.operation(let id, let news)): hear(id, news)
            case .tell(.refused(.operation(let refusal))): refusals.append(refusal)
            case .note(let note):
                if case .engine(.token(_, let step)) = note.fact { tokens.append(step) }
            case .attempt(.write):
                guard let (connection, head) = output.request else { break }
                requests.append(
                    (connection, "\(head.method) \(head.target)", head.fields["Idempotency-Key"]))
            case .attempt(.note): break
            default: told.append("unexpected: \(output)")
            }
        }
    }

    private mutating func hear(_ id: OperationID, _ news: OperationNews) {
        switch news {
        case .progress: break
        case .added: told.append("\(id.number) added")
        case .completed: told.append("\(id.number) completed")
        case .failed(let error): told.append("\(id.number) failed \(error.code)")
        case .agedOut: told.append("\(id.number) aged out")
        case .flushed: told.append("\(id.number) flushed")
        }
    }

    mutating func start(_ number: UInt64, refreshesToken: Bool = false) {
        tell(
            .command(
                .operation(
                    .start(
                        OperationID(number),
                        OperationRequest(
                            account: Account(
                                host: "docroot", port: 80, credentials: CredentialHandle("app")),
                            source: "a.mov", destination: "in/\(number).mov",
                            refreshesToken: refreshesToken)))))
    }

    mutating func cancel(_ number: UInt64) {
        tell(.command(.operation(.cancel(OperationID(number)))))
    }

    mutating func retry(_ number: UInt64) {
        tell(.command(.operation(.retry(OperationID(number)))))
    }

    mutating func wait(_ time: TimeSpan) {
        now = now + time
        tell(.wake)
    }

    /// The latest connection stands, and an address is given there.
    mutating func sign(as address: String = "/once/x?expires=9") {
        guard let connection = open.last else { return told.append("no connection") }
        tell(.attempt(.connected(connection)))
        answer("201 Created", "Location: \(address)\r\n")
    }

    /// The server answers on the latest connection.
    mutating func answer(_ status: String, _ fields: String = "") {
        guard let connection = open.last else { return told.append("no connection") }
        let text = "HTTP/1.1 \(status)\r\n\(fields)Content-Length: 0\r\n\r\n"
        tell(.attempt(.received(connection, [.bytes(Array(text.utf8))])))
    }

    mutating func lose(_ why: Disconnection = .reset) {
        guard let connection = open.popLast() else { return told.append("no connection") }
        tell(.attempt(.disconnected(connection, why)))
    }

    /// One that is brought to its end without trouble.
    mutating func complete(_ number: UInt64) {
        start(number)
        sign()
        answer("201 Created")
    }
}
