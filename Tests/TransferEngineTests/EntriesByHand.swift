import Content
import Protocols
import Quantities
import TransferEngine

/// Resumable transfers without a world: a test says what happens, and sees what comes of it.
struct EntriesByHand {
    var engine: TransferEngine
    var now = Instant.start
    var deadline: Instant?
    /// What the app was told, such as `1 ongoing`, `1 812`.
    var told: [String] = []
    var progress: [UInt64] = []
    var refusals: [EntryRefusal] = []
    /// Requests that went out, without the part of their targets that all have.
    var requests: [String] = []
    var fields: [HTTPFields] = []
    var heads: [String] = []
    /// Connections that are asked for and open, in their order.
    var open: [ConnectionID] = []
    /// Whether sources are examined at once; `examine` does it otherwise.
    var examinesAtOnce = true
    private var unexamined: [TransferID] = []
    var source: SourceExamination = .file(ByteCount(1_200_000), digest: 1)
    /// The part of a download that is there.
    var part: ByteCount?
    var placements: [String] = []
    var discarded: [String] = []
    /// What the store has, and what it is to do with the next changes.
    var stored: [EntryID: EntryRecord] = [:]
    var storeRefuses = false
    /// Changes wait here while the store is slow.
    var storeIsSlow = false
    var unanswered: [(PersistTicket, StoreChange)] = []
    var written: [ConnectionID: ByteCount] = [:]
    var placement = PlacementResult.placed
    var partIsWritable = true

    init(on platform: Platform = .iOS, holding records: [EntryRecord] = []) {
        engine = TransferEngine(platform: platform)
        tell(.restored([]))
        for record in records { stored[record.id] = record }
        if !records.isEmpty { tell(.heldEntries(records)) }
    }

    mutating func tell(_ input: EngineInput) {
        var outputs: [EngineOutput] = []
        deadline = engine.handle(input, at: now, into: &outputs)
        for output in outputs { carryOut(output) }
    }

    private mutating func carryOut(_ output: EngineOutput) {
        switch output {
        case .persist(let ticket, let change):
            if storeIsSlow { unanswered.append((ticket, change)) } else { store(ticket, change) }
        case .attempt(.examine(let transfer, _, _)):
            unexamined.append(transfer)
            if examinesAtOnce { examine() }
        case .attempt(.inspect(let transfer, let path)):
            tell(.attempt(.inspected(transfer, inspect(path))))
        case .attempt(.connect(let connection, _, _)): open.append(connection)
        case .attempt(.close(let connection)), .attempt(.abort(let connection)):
            open.removeAll { $0 == connection }
        case .attempt(.write(let connection, let pieces)):
            for piece in pieces {
                switch piece {
                case .bytes(let bytes):
                    written[connection, default: .zero] += ByteCount(UInt64(bytes.count))
                case .credential(let use): written[connection, default: .zero] += use.length
                case .file(_, _, let length, _): written[connection, default: .zero] += length
                }
            }
            guard let head = output.request?.head else { break }
            let target = head.target.replacing("/api/apps/lab/buckets/films/objects", with: "")
            requests.append("\(head.method) \(target)")
            fields.append(head.fields)
        case .attempt(.keep(let transfer, _, let segments, let offset)):
            guard partIsWritable else { return tell(.attempt(.kept(transfer, nil))) }
            part = offset + segments.length
            tell(.attempt(.kept(transfer, part)))
        case .attempt(.place(let transfer, let from, let to)):
            placements.append("\(from) to \(to)")
            tell(.attempt(.placed(transfer, placement)))
        case .attempt(.discard(let path)): discarded.append(path)
        case .tell(.entry(let id, let news)): hear(id, news)
        case .tell(.refused(.entry(let refusal))): refusals.append(refusal)
        default: break
        }
    }

    /// The sources that were asked about are read.
    mutating func examine() {
        while !unexamined.isEmpty {
            tell(.attempt(.examined(unexamined.removeFirst(), source)))
        }
    }

    private func inspect(_ path: String) -> SourceInspection {
        if path.hasSuffix(".part") {
            return part.map { .regularFile(SourceFingerprint(size: $0, modified: 0)) } ?? .missing
        }
        switch source {
        case .regularFile(let fingerprint, _): return .regularFile(fingerprint)
        case .missing, .unreadable: return .missing
        case .notARegularFile: return .notARegularFile
        }
    }

    private mutating func store(_ ticket: PersistTicket, _ change: StoreChange) {
        guard !storeRefuses else { return tell(.persistFailed(ticket, reason: "full")) }
        switch change {
        case .putEntry(let record): stored[record.id] = record
        case .removeEntry(let id): stored[id] = nil
        case .putAccount, .removeAccount: break
        case .put, .remove, .forgetSetAside: break
        }
        tell(.persisted(ticket))
    }

    mutating func storeAnswers() {
        storeIsSlow = false
        let waiting = unanswered
        unanswered = []
        for (ticket, change) in waiting { store(ticket, change) }
    }

    private mutating func hear(_ id: EntryID, _ news: EntryNews) {
        switch news {
        case .ongoing: told.append("\(id.number) ongoing")
        case .progress(let done, _): progress.append(done.bytes)
        case .suspended(let error): told.append("\(id.number) suspended \(error.code)")
        case .completed: told.append("\(id.number) completed")
        case .ended(let error): told.append("\(id.number) ended \(error.code)")
        }
    }

    // MARK: What a test says

    mutating func upload(_ number: UInt64, to object: String = "a") {
        transfer(number, to: object, isDownload: false)
    }

    mutating func download(_ number: UInt64, of object: String = "a") {
        transfer(number, to: object, isDownload: true)
    }

    mutating func transfer(_ number: UInt64, to object: String = "a", isDownload: Bool) {
        tell(
            .command(
                .entry(.transfer(EntryID(number), Self.request(object, isDownload: isDownload)))))
    }

    static func request(_ object: String = "a", isDownload: Bool = false) -> EntryRequest {
        EntryRequest(
            account: Account(host: "docroot", port: 80, credentials: CredentialHandle("app")),
            bucket: "lab/buckets/films", object: object, path: isDownload ? "b.mov" : "a.mov",
            isDownload: isDownload)
    }

    mutating func suspend(_ number: UInt64) { tell(.command(.entry(.suspend(EntryID(number))))) }

    mutating func terminate(_ number: UInt64) {
        tell(.command(.entry(.terminate(EntryID(number)))))
    }

    mutating func connect() {
        guard let connection = open.last else { return told.append("no connection") }
        tell(.attempt(.connected(connection)))
    }

    /// The server answers on the latest connection, after having taken all that was written.
    mutating func answer(
        _ status: String, _ fields: String = "", body: String = "", upTo length: Int? = nil
    ) {
        guard let connection = open.last else { return told.append("no connection") }
        drain(connection)
        let text =
            "HTTP/1.1 \(status)\r\n\(fields)Content-Length: \(length ?? body.utf8.count)\r\n\r\n"
        tell(.attempt(.received(connection, [.bytes(Array((text + body).utf8))])))
    }

    /// Until nothing more is written.
    private mutating func drain(_ connection: ConnectionID) {
        var last = ByteCount.zero
        while let total = written[connection], total > last {
            last = total
            tell(.attempt(.taken(connection, total)))
        }
    }

    mutating func begun(_ upload: Int = 7) {
        connect()
        answer("200 OK", body: "{\"uploadID\":\"\(upload)\"}")
    }

    mutating func chunkIsThere() { answer("204 No Content") }

    mutating func has(_ bytes: UInt64) {
        connect()
        answer("200 OK", body: "{\"uploadID\":\"7\",\"receivedBytes\":\(bytes)}")
    }

    /// Bytes of a download come.
    mutating func bytes(_ count: UInt64) {
        guard let connection = open.last else { return told.append("no connection") }
        let version = FileVersion(file: 1, edit: 0)
        tell(
            .attempt(
                .received(
                    connection,
                    [.content(ContentRange(version, offset: .zero, length: ByteCount(count)))])))
    }

    mutating func lose(_ why: Disconnection = .reset) {
        guard let connection = open.popLast() else { return told.append("no connection") }
        tell(.attempt(.disconnected(connection, why)))
    }

    mutating func wait(_ time: TimeSpan) {
        now = now + time
        tell(.wake)
    }

    /// An upload that is brought to its end without trouble.
    mutating func complete(_ number: UInt64) {
        upload(number)
        begun()
        for _ in 1...4 { chunkIsThere() }
    }
}

extension SourceExamination {
    static func file(_ size: ByteCount, digest: UInt64, modified: UInt64 = 1) -> Self {
        .regularFile(SourceFingerprint(size: size, modified: modified), digest: digest)
    }
}
