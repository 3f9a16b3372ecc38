import Content
import Protocols
import Quantities
import TransferEngine

/// A session that downloads, without a world: a test says what the server answers.
struct QueueDownloadByHand {
    private(set) var now = Instant.start
    private(set) var kept: SessionRecord?
    /// What the app hears of its files, and the end.
    private(set) var heard: [String] = []
    private(set) var asked: [HTTPRequestHead] = []
    private(set) var resumes: [ByteCount] = []
    private(set) var errors: [Int] = []
    private(set) var refusals: [QueueRefusal] = []
    /// The progress of the session over all of its files.
    private(set) var progress: [String] = []
    private(set) var connections = 0
    /// What the app has, and what is on its way there.
    private(set) var files: [String: String] = [:]
    private(set) var incoming: [String: [UInt8]] = [:]
    /// Whether the disk takes nothing, and lets files be put to their places.
    var isFull = false
    var places = true
    private var engine = TransferEngine()
    private var connection: ConnectionID?

    init(
        _ paths: [(source: String, destination: String)] = [("in/a.mov", "films/a.mov")],
        settings: TransferSettings = TransferSettings(), over target: String? = nil,
        isPersistent: Bool = false
    ) {
        files["films/a.mov"] = target
        tell(.restored([]))
        let account = Account(host: "docroot", port: 80, credentials: CredentialHandle("app"))
        let files = paths.map {
            SessionRequest.File(source: $0.source, destination: $0.destination)
        }
        var request = SessionRequest(account: account, downloads: files, settings: settings)
        request.isPersistent = isPersistent
        tell(.command(.queue(.enqueue(request))))
        tell(.command(.queue(.start)))
    }

    // MARK: What happens

    mutating func tell(_ input: EngineInput) {
        var inputs = [input]
        while !inputs.isEmpty {
            var new: [EngineOutput] = []
            _ = engine.handle(inputs.removeFirst(), at: now, into: &new)
            for output in new { carryOut(output, &inputs) }
        }
    }

    mutating func add(_ source: String, to destination: String) {
        let path = SessionRequest.File(source: source, destination: destination)
        tell(.command(.queue(.addPath(path, to: SessionID(1)))))
    }

    mutating func connect() {
        if let connection { tell(.attempt(.connected(connection))) }
    }

    mutating func answer(_ status: Int, _ fields: [(String, String)], _ body: String) {
        let lines = fields.map { "\($0.0): \($0.1)\r\n" }.joined()
        receive("HTTP/1.1 \(status) X\r\n\(lines)\r\n\(body)")
    }

    mutating func receive(_ text: String) {
        if let connection { tell(.attempt(.received(connection, [.bytes(Array(text.utf8))]))) }
    }

    mutating func lose() {
        if let connection { tell(.attempt(.disconnected(connection, .reset))) }
    }

    mutating func ask(_ verb: SessionWish) { tell(.command(.queue(.session(verb, SessionID(1))))) }

    mutating func wait(_ span: TimeSpan) {
        now = now + span
        tell(.wake)
    }

    mutating func kill() {
        engine = TransferEngine()
        connection = nil
        tell(.restored([kept].compactMap(\.self)))
        tell(.command(.queue(.start)))
    }

    /// Of all of its files, in seconds.
    static let date: UInt64 = 784_111_777

    static func digest(of text: String) -> UInt64 {
        text.utf8.reduce(0) { $0 &* 257 &+ UInt64($1) }
    }

    // MARK: The world

    private mutating func carryOut(_ output: EngineOutput, _ inputs: inout [EngineInput]) {
        switch output {
        case .persist(let ticket, let change):
            if case .put(let record) = change { kept = record }
            inputs.append(.persisted(ticket))
        case .attempt(.connect(let id, _, _)):
            connection = id
            connections += 1
        case .attempt(.inspect(let transfer, let path)):
            let held = incoming[path] ?? files[path].map { Array($0.utf8) }
            let size = held.map { ByteCount(UInt64($0.count)) }
            let inspection: SourceInspection? = size.map {
                .regularFile(SourceFingerprint(size: $0, modified: Self.date * 1_000_000_000))
            }
            inputs.append(.attempt(.inspected(transfer, inspection ?? .missing)))
        case .attempt(.examine(let transfer, let path, _)):
            guard let text = files[path] else {
                return inputs.append(.attempt(.examined(transfer, .missing)))
            }
            let known = SourceFingerprint(
                size: ByteCount(UInt64(text.utf8.count)), modified: Self.date * 1_000_000_000)
            let examination = SourceExamination.regularFile(
                known, digest: Self.digest(of: text))
            inputs.append(.attempt(.examined(transfer, examination)))
        case .attempt(.keep(let transfer, let path, let segments, let offset)):
            guard !isFull else { return inputs.append(.attempt(.kept(transfer, nil))) }
            var bytes = Array((incoming[path] ?? []).prefix(Int(offset.bytes)))
            for case .bytes(let more) in segments { bytes += more }
            incoming[path] = bytes
            inputs.append(.attempt(.kept(transfer, ByteCount(UInt64(bytes.count)))))
        case .attempt(.place(let transfer, let landing, let path)):
            guard places, let bytes = incoming.removeValue(forKey: landing) else {
                return inputs.append(.attempt(.placed(transfer, .refused)))
            }
            files[path] = String(decoding: bytes, as: UTF8.self)
            inputs.append(.attempt(.placed(transfer, .placed)))
        case .attempt(.discard(let path)): incoming[path] = nil
        case .attempt(.write):
            if let (_, head) = output.request { asked.append(head) }
        case .tell(.session(_, .didStartFile(let name))): heard.append("starts \(name)")
        case .tell(.session(_, .didStopFile(let name))): heard.append("stops \(name)")
        case .tell(.session(_, .progress(_, let done, let total, let whole))):
            heard.append("\(done.bytes) of \(total.bytes)")
            guard let whole else { return }
            progress.append("\(whole.done.bytes) of \(whole.total.map { "\($0.bytes)" } ?? "?")")
        case .tell(.session(_, .didDeactivate(.completed))): heard.append("completed")
        case .tell(.session(_, .didDeactivate(.failed(_, let message)))): heard.append(message)
        case .note(let note):
            switch note.fact {
            case .engine(.resumes(_, _, let offset)): resumes.append(offset)
            case .engine(.fails(_, let code, _, _)): errors.append(code)
            default: break
            }
        case .tell(.refused(.queue(let refusal))): refusals.append(refusal)
        default: break
        }
    }
}
