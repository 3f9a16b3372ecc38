import Content
import Protocols
import Quantities
import TransferEngine

/// The daemon without a world: a test says what happens, and sees what comes of it.
struct DaemonByHand {
    var daemon: TransferDaemon
    var now = Instant.start
    /// What the store has promised.
    var kept: [TaskID: TaskRecord] = [:]
    /// The apps that have heard that a store was set aside.
    var told: [UInt16] = []
    var delays: [BackgroundDelay] = []
    var news: [DaemonNews] = []
    var notes: [Fact] = []
    /// How often the app ran as something waited for it.
    var woken = 0
    var attempts: [AttemptOutput] = []
    var wakes = 0
    var downloads: [String: [UInt8]] = [:]
    /// Downloads that were made durable before the end of their task was.
    var synced: [String] = []
    /// When the source was last edited.
    var sourceModified: UInt64 = 0
    /// Whether the store takes anything.
    var stores = true
    /// Whether the disk takes what a download brings.
    var keeps = true
    var deadline: Instant?

    /// One app in front, with its session.
    init(
        stage: DaemonClientStage = .inFront,
        daemon: TransferDaemon = TransferDaemon(of: "phone", connectionsBefore: 0)
    ) {
        self.daemon = daemon
        tell(.restored([]))
        tell(.app(0, stage))
        tell(.asked(by: 0, .attach(session: "films")))
    }

    mutating func tell(_ input: DaemonInput) {
        var outputs: [DaemonOutput] = []
        deadline = daemon.handle(input, at: now, into: &outputs)
        for output in outputs {
            switch output {
            case .persist(let ticket, _) where !stores: tell(.persistFailed(ticket))
            case .persist(let ticket, let change):
                switch change {
                case .put(let record): kept[record.id] = record
                case .remove(let id): kept[id] = nil
                case .delay(let delay):
                    delays.removeAll { $0.app == delay.app }
                    delays.append(delay)
                case .told(let app): told.append(app)
                }
                tell(.persisted(ticket))
            case .attempt(.inspect(let transfer, let path)) where path.hasPrefix("/"):
                let held = SourceFingerprint(
                    size: ByteCount(UInt64(downloads[path]?.count ?? 0)), modified: 0)
                let inspection: SourceInspection =
                    downloads[path] == nil ? .missing : .regularFile(held)
                tell(.attempt(.inspected(transfer, inspection)))
            case .attempt(.keep(let transfer, let path, let segments, let offset)):
                var bytes = Array((downloads[path] ?? []).prefix(Int(offset.bytes)))
                for case .bytes(let more) in segments { bytes += more }
                downloads[path] = bytes
                tell(.attempt(.kept(transfer, keeps ? ByteCount(UInt64(bytes.count)) : nil)))
            case .sync(let path): synced.append(path)
            case .discard(let path): downloads[path] = nil
            case .attempt(.inspect(let transfer, _)):
                let source = SourceFingerprint(
                    size: ByteCount(1000), modified: sourceModified)
                tell(.attempt(.inspected(transfer, .regularFile(source))))
            case .attempt(let wanted): attempts.append(wanted)
            case .tell(_, let item): news.append(item)
            case .wakeApp: wakes += 1
            case .note(let note): notes.append(note.fact)
            case .hasWoken: woken += 1
            }
        }
    }

    mutating func wait(_ time: TimeSpan) {
        now = now + time
        tell(.wake)
    }

    /// A task of the session that is resumed at once.
    mutating func upload(
        _ number: UInt64 = 1, isResumable: Bool = false, limits: NetworkLimits = [],
        isDiscretionary: Bool = false
    ) {
        make(
            number, request("a.mov", limits: limits),
            .upload(from: "a.mov", isResumable: isResumable),
            BackgroundConfiguration(isDiscretionary: isDiscretionary))
    }

    mutating func download(_ number: UInt64 = 1) { make(number, request("b.mov"), .download) }

    func request(_ address: String, limits: NetworkLimits = []) -> TaskRequest {
        TaskRequest(
            address, of: Account(host: "there", port: 80, credentials: CredentialHandle("app")),
            limits: limits)
    }

    mutating func make(
        _ number: UInt64, _ request: TaskRequest, _ transfer: BackgroundTaskRequest.Transfer,
        _ configuration: BackgroundConfiguration = BackgroundConfiguration()
    ) {
        let request = BackgroundTaskRequest(
            session: "films", request, transfer, configuration: configuration)
        tell(.asked(by: 0, .create(number, request)))
        tell(.asked(by: 0, .resume(number)))
    }

    /// The last connection comes up, and all that is written to it is taken.
    mutating func connect() {
        guard let connection else { return }
        tell(.attempt(.connected(connection)))
    }

    mutating func answer(_ status: Int, on other: ConnectionID? = nil) {
        guard let connection = other ?? connection else { return }
        let head = HTTPResponseHead(status, fields: HTTPFields([("Content-Length", "0")]))
        tell(.attempt(.received(connection, [.bytes(head.bytes)])))
    }

    /// A head with these fields, and so many bytes of a body.
    mutating func answer(_ status: Int, _ fields: [(String, String)], _ body: String) {
        guard let connection else { return }
        let head = HTTPResponseHead(status, fields: HTTPFields(fields))
        tell(.attempt(.received(connection, [.bytes(head.bytes + Array(body.utf8))])))
    }

    /// The phone starts again, with what the store has kept.
    mutating func restart() {
        daemon = TransferDaemon(of: "phone", connectionsBefore: 100)
        (notes, news) = ([], [])
        tell(.restored(kept.values.sorted { $0.id < $1.id }))
    }

    /// What the app got to continue the download that has ended last.
    var resumeData: ResumeData? {
        if case .finished(_, _, _, _, let data)? = news.last { data } else { nil }
    }

    var connection: ConnectionID? {
        attempts.compactMap { if case .connect(let id, _, _) = $0 { id } else { nil } }.last
    }

    var connects: Int {
        attempts.count { if case .connect = $0 { true } else { false } }
    }

    var asked: [HTTPRequestHead] {
        attempts.compactMap { $0.request?.head }
    }

    var obstacles: [String] {
        notes.compactMap {
            if case .engine(.waitsForNetwork(_, let because)) = $0 { because } else { nil }
        }
    }

    /// How often a task has said that it waits for a credential.
    var waitsForCredential: Int {
        notes.count { if case .engine(.waitsForCredential) = $0 { true } else { false } }
    }

    func state(of number: UInt64) -> TaskState? {
        kept[TaskID(app: 0, number: number)]?.state
    }
}

/// How a task finished.
enum ToldEnd: Hashable {
    case answered(status: Int)
    case failed(TaskError)
}

extension DaemonNews {
    /// The end that the app is told of.
    var end: ToldEnd? {
        switch self {
        case .finished(_, _, _, .answered(let response), _): .answered(status: response.status)
        case .finished(_, _, _, .failed(let error), _): .failed(error)
        default: nil
        }
    }
}
