import Content
import Quantities
import TransferEngine

/// A queue by hand: the store answers at once, and a session's file is empty, so that it completes
/// when the server has answered once.
struct QueueBench {
    private(set) var now = Instant.start
    private(set) var kept: [SessionID: SessionRecord] = [:]
    private(set) var keptAccounts: [AccountID: AccountRecord] = [:]
    /// What the app hears of accounts and of saved sessions.
    private(set) var saved: [SavedNews] = []
    /// What the app hears, without the rows of its table: `2 did deactivate`.
    private(set) var heard: [String] = []
    /// The rows of a table that follows what it is told.
    private(set) var rows: [UInt64] = []
    /// What it is told of its sessions.
    private(set) var standings: [UInt64: SessionStanding] = [:]
    private(set) var refusals: [QueueRefusal] = []
    private(set) var deadline: Instant?
    /// Whether there is a timer, traffic or a callback at all.
    private(set) var outputs: [EngineOutput] = []
    /// The store takes its time: what it is asked for is answered with `answer()`.
    var isStoreSlow = false
    /// The disk is full: nothing is kept.
    var storeRefuses = false
    private var unanswered: [EngineInput] = []
    private var engine = TransferEngine()
    private var connection: ConnectionID?
    /// The stream of the paced transport that is asked for, and the way to it.
    private(set) var stream: ConnectionID?
    private(set) var route: PacedRoute?
    /// Channels that are asked for, and the connections beside which they open.
    private(set) var channels: [(id: ConnectionID, other: ConnectionID)] = []
    private var transfer: TransferID?

    init(sessions: Int, isStarted: Bool = true) {
        tell(.restored([]))
        for _ in 0..<sessions { tell(.command(.queue(.enqueue(Self.request)))) }
        if isStarted { tell(.command(.queue(.start))) }
    }

    static let access = Account(
        host: "docroot", port: 80, credentials: CredentialHandle("app"))
    static let request = SessionRequest(
        account: access,
        uploads: [.init(source: "a", destination: "in/a")], settings: plain)

    /// Nothing is asked of the server or the source but what an upload needs: what it overwrites
    /// and by what it resumes is for tests of its own.
    static let plain = TransferSettings(overwrite: .always, resume: .attributes)

    // MARK: What happens

    mutating func tell(_ input: EngineInput) {
        var inputs = [input]
        while !inputs.isEmpty {
            var new: [EngineOutput] = []
            deadline = engine.handle(inputs.removeFirst(), at: now, into: &new)
            outputs += new
            for output in new { carryOut(output, &inputs) }
        }
    }

    /// Sessions are counted from 1, as they were enqueued.
    mutating func ask(_ verb: SessionWish, _ session: UInt64) {
        guard rows.contains(session) else { return }
        tell(.command(.queue(.session(verb, SessionID(session)))))
    }

    mutating func connect() {
        if let connection { tell(.attempt(.connected(connection))) }
    }

    /// The session that is active comes to its end.
    mutating func finish(isConnected: Bool = false) {
        if !isConnected { connect() }
        guard let transfer, let connection else { return }
        let empty = SourceFingerprint(size: .zero, modified: 0)
        tell(.attempt(.inspected(transfer, .regularFile(empty))))
        for answer in ["201 Created\r\nLocation: /tus/1", "204 No Content\r\nUpload-Offset: 0"] {
            let text =
                "HTTP/1.1 \(answer)\r\nTus-Resumable: 1.0.0\r\nContent-Length: 0\r\n\r\n"
            tell(.attempt(.received(connection, [.bytes(Array(text.utf8))])))
        }
    }

    /// The file of the session that is active, or what is there of a download, is this.
    mutating func finds(_ inspection: SourceInspection) {
        if let transfer { tell(.attempt(.inspected(transfer, inspection))) }
    }

    /// The file of the session that is active has this digest.
    mutating func compares(_ file: SourceFingerprint, digest: UInt64) {
        guard let transfer else { return }
        tell(.attempt(.examined(transfer, .regularFile(file, digest: digest))))
    }

    mutating func hears(_ answer: String, body: String = "") {
        guard let connection else { return }
        let length = "Content-Length: \(body.utf8.count)"
        let text = "HTTP/1.1 \(answer)\r\n\(length)\r\n\r\n\(body)"
        tell(.attempt(.received(connection, [.bytes(Array(text.utf8))])))
    }

    /// The server opens a session of the paced transport.
    mutating func grants(channels: Bool = false) {
        hears(
            "201 Created\r\nPaced-Session: 00000000000000a7\r\nPaced-Port: 33001\r\n"
                + "Paced-Nonce: 000102030405060708090a0b0c0d0e0f"
                + (channels ? "\r\nPaced-Channels: ?1" : ""))
    }

    /// The stream of the paced transport opens, and what follows happens on it.
    mutating func streamOpens() {
        guard let stream else { return }
        connection = stream
        tell(.attempt(.connected(stream)))
    }

    mutating func streamFails(_ why: Disconnection) {
        if let stream { tell(.attempt(.disconnected(stream, why))) }
    }

    mutating func cannotRead() {
        if let connection { tell(.attempt(.unreadable(connection))) }
    }

    mutating func lose(_ why: Disconnection = .reset) {
        if let connection { tell(.attempt(.disconnected(connection, why))) }
    }

    mutating func answer() {
        isStoreSlow = false
        for input in unanswered { tell(input) }
        unanswered = []
    }

    mutating func wait(_ span: TimeSpan) {
        now = now + span
        tell(.wake)
    }

    /// The process ends and is launched again; the app starts its queue.
    mutating func kill(isStarted: Bool = true) {
        engine = TransferEngine()
        connection = nil
        transfer = nil
        standings = [:]
        // any order: they are sorted
        let records = kept.values.sorted { $0.id < $1.id }
        let accounts = keptAccounts.values.sorted { $0.id < $1.id }  // any order: the same
        tell(.restored(records, accounts: accounts))
        if isStarted { tell(.command(.queue(.start))) }
    }

    mutating func changeKept(_ change: (inout SessionRecord) -> Void) {
        for id in kept.keys.sorted() {  // any order: they are sorted
            if var record = kept[id] {
                change(&record)
                kept[id] = record
            }
        }
    }

    /// A disk has eaten them.
    mutating func forgetAccounts() { keptAccounts = [:] }

    mutating func forget() {
        outputs = []
        heard = []
        saved = []
        refusals = []
    }

    // MARK: What can be seen

    func state(_ session: UInt64) -> SessionState? { kept[SessionID(session)]?.state }

    /// What the attempts of sessions have met.
    var errors: [TransferError] {
        outputs.compactMap { output in
            if case .fails(_, let code, _, _)? = output.engineFact {
                TransferError(rawValue: code)
            } else {
                nil
            }
        }
    }

    /// The one between its activation and the end of it.
    var active: UInt64? {
        let last = heard.last { $0.hasSuffix("will activate") || $0.hasSuffix("did deactivate") }
        guard let last, last.hasSuffix("will activate") else { return nil }
        return UInt64(last.prefix { $0 != " " })
    }

    /// What was written that is no file.
    var written: [String] {
        outputs.compactMap { output in
            guard case .attempt(.write(_, let pieces)) = output else { return nil }
            return pieces.reduce(into: "") { text, piece in
                if case .bytes(let bytes) = piece { text += String(decoding: bytes, as: UTF8.self) }
            }
        }
    }

    /// The connections that the engine has closed or aborted.
    var ended: [ConnectionID] {
        outputs.compactMap { output in
            switch output {
            case .attempt(.close(let id)), .attempt(.abort(let id)): id
            default: nil
            }
        }
    }

    /// The streams whose rates were changed.
    var paces: [ConnectionID] {
        outputs.compactMap { if case .attempt(.pace(let id, _)) = $0 { id } else { nil } }
    }

    var notes: [String] { outputs.compactMap { $0.engineFact?.sentence } }

    /// In the order in which they were given their turns.
    var turns: [UInt64] {
        heard.filter { $0.hasSuffix("will activate") }.compactMap {
            UInt64($0.prefix { $0 != " " })
        }
    }

    // MARK: The world

    private mutating func carryOut(_ output: EngineOutput, _ inputs: inout [EngineInput]) {
        switch output {
        case .persist(let ticket, _) where storeRefuses:
            answer(.persistFailed(ticket, reason: "full"), &inputs)
        case .persist(let ticket, .put(let record)):
            kept[record.id] = record
            answer(.persisted(ticket), &inputs)
        case .persist(let ticket, .remove(let session)):
            kept[session] = nil
            inputs.append(.persisted(ticket))
        case .persist(let ticket, .putAccount(let record)):
            keptAccounts[record.id] = record
            inputs.append(.persisted(ticket))
        case .persist(let ticket, .removeAccount(let account)):
            keptAccounts[account] = nil
            inputs.append(.persisted(ticket))
        case .tell(.saved(let news)): saved.append(news)
        case .persist(let ticket, .forgetSetAside): inputs.append(.persisted(ticket))
        case .tell(.storeWasSetAside), .tell(.queueMode), .tell(.answered): break
        case .tell(.queueHolds(let sessions)):
            rows = sessions.map(\.id.number)
            standings = Dictionary(uniqueKeysWithValues: sessions.map { ($0.id.number, $0) })
        case .tell(.sessionStands(let standing)): standings[standing.id.number] = standing
        case .attempt(.connect(let id, _, _)): connection = id
        case .attempt(.connectPaced(let id, let way, _)): (stream, route) = (id, way)
        case .attempt(.connectChannel(let id, let other, _)): channels.append((id, other))
        case .attempt(.inspect(let id, _)): transfer = id
        case .attempt, .askDaemon, .beginBackgroundTask, .endBackgroundTask,
            .persist(_, .putEntry), .persist(_, .removeEntry), .tell(.operation),
            .tell(.background), .tell(.entriesHeld), .tell(.entry), .tell(.refused(.operation)),
            .tell(.refused(.entry)), .tell(.refused(.task)):
            break
        case .tell(.session(let session, .row(let change))): follow(change, session.number)
        case .tell(.session(let session, .didDeactivate)): hear("did deactivate", session)
        case .tell(.session(let session, .didStopFile)): hear("did stop file", session)
        case .tell(.session(let session, .didStartFile)): hear("did start file", session)
        case .tell(.session(_, .progress)): break
        case .tell(.session(let session, .willActivate)): hear("will activate", session)
        case .tell(.session(let session, .didActivate)): hear("did activate", session)
        case .tell(.session(let session, .willStartRunning)): hear("will start running", session)
        case .tell(.session(let session, .didStartRunning)): hear("did start running", session)
        case .tell(.session(let session, .canAcceptPaths)): hear("can accept paths", session)
        case .tell(.session(let session, .willStopRunning)): hear("will stop running", session)
        case .tell(.session(let session, .didStopRunning)): hear("did stop running", session)
        case .tell(.session(let session, .willDeactivate)): hear("will deactivate", session)
        case .tell(.refused(.queue(let refusal))): refusals.append(refusal)
        case .note: break
        }
    }

    private mutating func answer(_ input: EngineInput, _ inputs: inout [EngineInput]) {
        if isStoreSlow { unanswered.append(input) } else { inputs.append(input) }
    }

    private mutating func hear(_ words: String, _ session: SessionID) {
        heard.append("\(session.number) \(words)")
    }

    private mutating func follow(_ change: RowChange, _ session: UInt64) {
        switch change {
        case .inserted(let index): rows.insert(session, at: index)
        case .removed(let index): rows.remove(at: index)
        case .moved(let from, let to): rows.insert(rows.remove(at: from), at: to)
        case .updated(let index): precondition(rows[index] == session, "another row was updated")
        }
    }
}
