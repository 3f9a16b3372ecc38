import Content
import Quantities
import Testing

@testable import TransferEngine

/// An engine that signs in by hand: what it asks, and with which version of its credential.
struct IdentityBench {
    static let app = CredentialHandle("app")
    static let account = Account(host: "docroot", port: 80, credentials: app)
    static let password = CredentialState(version: 1, length: ByteCount(22))
    static let noToken = CredentialState(version: 0, length: .zero, renewal: ByteCount(22))
    static func token(_ version: UInt32) -> CredentialState {
        CredentialState(version: version, length: ByteCount(40), renewal: ByteCount(22))
    }

    private(set) var now = Instant.start
    private(set) var engine = TransferEngine()
    /// Requests such as `1: OPTIONS /tus by 2`; `by nil` asks for a token.
    private(set) var asked: [String] = []
    /// Connections that the engine has opened and not closed.
    private(set) var open: [ConnectionID] = []
    private(set) var renewing: [ConnectionID] = []
    private(set) var heard: [String] = []
    private(set) var toDaemon: [DaemonRequest] = []
    private(set) var forgotten: [UInt32?] = []
    private(set) var deadline: Instant?

    init(_ state: CredentialState?, sessions: Int = 1) {
        tell(.restored([]))
        if let state { tell(.credential(Self.app, .known(state))) }
        for _ in 0..<sessions {
            tell(
                .command(
                    .queue(
                        .enqueue(
                            SessionRequest(
                                account: Self.account,
                                uploads: [.init(source: "a", destination: "in/a")],
                                settings: QueueBench.plain)))))
        }
        if sessions > 0 { tell(.command(.queue(.start))) }
    }

    mutating func tell(_ input: EngineInput) {
        var inputs = [input]
        while !inputs.isEmpty {
            var outputs: [EngineOutput] = []
            deadline = engine.handle(inputs.removeFirst(), at: now, into: &outputs)
            for output in outputs { carryOut(output, &inputs) }
        }
    }

    /// The last connection opens.
    mutating func connect() { if let last = open.last { tell(.attempt(.connected(last))) } }

    /// All connections open.
    mutating func connectAll() {
        for connection in open { tell(.attempt(.connected(connection))) }
    }

    mutating func answer(_ status: String, on connection: ConnectionID? = nil) {
        guard let connection = connection ?? open.last else { return }
        let head = "HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n"
        tell(.attempt(.received(connection, [.bytes(Array(head.utf8))])))
    }

    mutating func wait(_ time: TimeSpan) {
        now = now + time
        tell(.wake)
    }

    private mutating func carryOut(_ output: EngineOutput, _ inputs: inout [EngineInput]) {
        switch output {
        case .persist(let ticket, _): inputs.append(.persisted(ticket))
        case .attempt(.connect(let connection, _, _)): open.append(connection)
        case .attempt(.close(let connection)), .attempt(.abort(let connection)):
            open.removeAll { $0 == connection }
        case .attempt(.readToken(let connection, _)): renewing.append(connection)
        case .attempt(.forget(let use, _)): forgotten.append(use.version)
        case .attempt(.inspect(let transfer, _)):
            let file = SourceFingerprint(size: ByteCount(10), modified: 1)
            inputs.append(.attempt(.inspected(transfer, .regularFile(file))))
        case .attempt(.write(let connection, let pieces)):
            guard case .bytes(let bytes)? = pieces.first else { break }
            let line = String(decoding: bytes, as: UTF8.self).prefix { $0 != "\r\n" }
                .replacing(" HTTP/1.1", with: "")
            let uses = pieces.compactMap { piece -> String? in
                guard case .credential(let use) = piece else { return nil }
                return " by \(use.version.map { "\($0)" } ?? "nil")"
            }
            asked.append("\(connection.number): \(line)\(uses.joined())")
        case .tell(.session(let session, let callback)): hear(callback, session)
        case .tell(.operation(let id, .failed(let error))):
            heard.append("operation \(id.number) failed \(error.code)")
        case .tell(.entry(let id, .suspended(let error))):
            heard.append("transfer \(id.number) suspended \(error.code)")
        case .askDaemon(let request): toDaemon.append(request)
        default: break
        }
    }

    private mutating func hear(_ callback: SessionCallback, _ session: SessionID) {
        switch callback {
        case .willStartRunning, .didStartRunning, .willStopRunning, .didStopRunning:
            heard.append("\(session.number) \(callback)")
        case .didDeactivate(let result):
            heard.append("\(session.number) ends \(result.error?.code ?? 0)")
        default: break
        }
    }
}
