import Content
import DocrootServer
import Protocols
import Quantities
import TransferEngine

/// The engine and the server joined without a network: what one writes, the other reads at once.
///
/// It can kill the app after any number of outputs carried out, which is how the tests visit every
/// point between two steps.
struct DirectWorld {
    var files: [String: (version: FileVersion, size: ByteCount)] = [:]
    /// Dates of files whose edits do not show in them, in seconds.
    var dates: [String: UInt64] = [:]
    /// Of which version their samples are, where that is another one.
    var samples: [String: FileVersion] = [:]
    /// What stands in the docroot, and since when.
    var objects: [String: (content: [ContentRange], date: UInt64)] = [:]
    private(set) var publications: [String: [[ContentRange]]] = [:]
    private(set) var callbacks: [SessionCallback] = []
    private(set) var notes: [EngineFact] = []
    /// The requests of the engine, `DELETE /tus/1`.
    private(set) var asked: [String] = []
    private(set) var received: [ContentRange] = []
    private(set) var kept: [SessionRecord] = []
    private(set) var accounts: [AccountRecord] = []
    private(set) var carriedOut = 0
    var killAfter: Int?
    /// After how many outputs the app was killed.
    private(set) var killed = 0
    /// After how many outputs somebody edits the source, the app being alive.
    var editAfter: Int?
    var edit: (inout DirectWorld) -> Void = {
        $0.files["video.mov"] = (StartingOverTests.edited, ByteCount(900_000))
    }
    /// What happens to the world while the app is dead.
    var meanwhile: (inout DirectWorld) -> Void = { _ in }

    private var engine = TransferEngine()
    private var server = DocrootServer()
    private var staging: [UploadID: [ContentRange]] = [:]
    private var jobs: [Job] = []
    private var connections: [UInt32: ServerConnectionID] = [:]
    private var taken: [UInt32: ByteCount] = [:]
    private var lastServerConnection: UInt32 = 0
    private var now = Instant.start
    var elapsed: TimeSpan { now.sinceStart }
    private var deadline: Instant?
    var refusesConnections = 0
    /// Changes that the store refuses, counted from 0 in the order in which they are asked for.
    var refusedChanges = 0..<0
    private var changes = 0

    private enum Job {
        case engine(EngineInput)
        case server(ServerInput)
    }

    mutating func launch(enqueuing requests: [SessionRequest] = []) {
        engine = TransferEngine()
        connections = [:]
        taken = [:]
        jobs.append(.engine(.restored(kept, accounts: accounts)))
        for request in requests { jobs.append(.engine(.command(.queue(.enqueue(request))))) }
        jobs.append(.engine(.command(.queue(.start))))
    }

    mutating func command(_ command: QueueCommand) {
        jobs.append(.engine(.command(.queue(command))))
    }

    mutating func changeKept(_ change: (inout SessionRecord) -> Void) {
        for place in kept.indices { change(&kept[place]) }
    }

    /// Until nothing is left to do; a kill is followed by a launch.
    mutating func run() {
        // A world that never comes to rest is a failure, not a wait.
        for _ in 0..<20_000 {
            if jobs.isEmpty, let deadline {
                now = deadline
                jobs.append(.engine(.wake))
            }
            guard !jobs.isEmpty else { return }
            switch jobs.removeFirst() {
            case .engine(let input): step(input)
            case .server(let input): step(input)
            }
        }
        preconditionFailure("still busy at \(now): \(notes.suffix(12))")
    }

    /// The server is set up anew: it knows no upload any more.
    mutating func forgetUploads() {
        server = DocrootServer()
        staging = [:]
        jobs.removeAll { if case .server = $0 { true } else { false } }
    }

    private mutating func step(_ input: EngineInput) {
        var outputs: [EngineOutput] = []
        deadline = engine.handle(input, at: now, into: &outputs)
        for output in outputs {
            if carriedOut == killAfter { return kill() }
            if carriedOut == editAfter { edit(&self) }
            carriedOut += 1
            carryOut(output)
        }
    }

    private mutating func kill() {
        killed = carriedOut
        killAfter = nil
        deadline = nil
        jobs.removeAll { if case .engine = $0 { true } else { false } }
        for id in connections.keys.sorted() {
            if let connection = connections[id] { jobs.append(.server(.disconnected(connection))) }
        }
        meanwhile(&self)
        launch()
    }

    private mutating func carryOut(_ output: EngineOutput) {
        switch output {
        case .persist(let ticket, .put(let record)):
            changes += 1
            guard !refusedChanges.contains(changes - 1) else {
                return jobs.append(.engine(.persistFailed(ticket, reason: "the disk is full")))
            }
            if let place = kept.firstIndex(where: { $0.id == record.id }) {
                kept[place] = record
            } else {
                kept.append(record)
            }
            jobs.append(.engine(.persisted(ticket)))
        case .persist(let ticket, .remove(let session)):
            kept.removeAll { $0.id == session }
            jobs.append(.engine(.persisted(ticket)))
        case .persist(let ticket, .putAccount(let record)):
            accounts.removeAll { $0.id == record.id }
            accounts.append(record)
            jobs.append(.engine(.persisted(ticket)))
        case .attempt(.inspect(let transfer, let path)):
            let inspection = fingerprint(of: path).map { SourceInspection.regularFile($0) }
            jobs.append(.engine(.attempt(.inspected(transfer, inspection ?? .missing))))
        case .attempt(.connect(let id, _, _)), .attempt(.connectPaced(let id, _, _)),
            .attempt(.connectChannel(let id, _, _)):
            guard refusesConnections == 0 else {
                refusesConnections -= 1
                jobs.append(.engine(.attempt(.disconnected(id, .refused))))
                return
            }
            lastServerConnection += 1
            connections[id.number] = ServerConnectionID(lastServerConnection)
            let connection = ServerConnectionID(lastServerConnection)
            jobs.append(.server(.connected(connection, from: ClientAddress(0x7f00_0001))))
            jobs.append(.engine(.attempt(.connected(id))))
        case .attempt(.pace): break
        case .attempt(.readToken), .attempt(.forget): preconditionFailure("nobody signs in here")
        case .attempt(.write(let id, let pieces)): write(pieces, on: id)
        case .attempt(.close(let id)), .attempt(.abort(let id)):
            if let connection = connections.removeValue(forKey: id.number) {
                jobs.append(.server(.disconnected(connection)))
            }
        case .tell(let news): hear(news)
        case .persist(let ticket, .forgetSetAside): jobs.append(.engine(.persisted(ticket)))
        case .beginBackgroundTask, .endBackgroundTask:
            preconditionFailure("this app never leaves the front")
        case .attempt(.examine(let transfer, let path, let coverage)):
            guard let file = files[path], let known = fingerprint(of: path) else {
                return jobs.append(.engine(.attempt(.examined(transfer, .missing))))
            }
            let read = coverage == .whole ? file.version : samples[path] ?? file.version
            jobs.append(
                .engine(.attempt(.examined(transfer, .regularFile(known, digest: read.digest)))))
        case .persist(_, .removeAccount): preconditionFailure("it deletes no account")
        case .attempt(.place), .attempt(.discard), .persist(_, .putEntry),
            .persist(_, .removeEntry):
            preconditionFailure("this app has no resumable transfer")
        case .askDaemon, .attempt(.keep):
            preconditionFailure("this app has no background session")
        case .attempt(.note(let note)), .note(let note):
            switch note.fact {
            case .engine(let fact): notes.append(fact)
            case .connection(.request(_, let method, let target)):
                asked.append("\(method) \(target)")
            default: break
            }
        }
    }

    private mutating func hear(_ news: News) {
        switch news {
        case .queueHolds, .sessionStands, .answered, .queueMode, .saved, .session(_, .row): break
        case .session(_, let callback): callbacks.append(callback)
        case .storeWasSetAside: preconditionFailure("no store was damaged")
        case .operation: preconditionFailure("this app has no upload operation")
        case .entry, .entriesHeld: preconditionFailure("this app has no resumable transfer")
        case .background: preconditionFailure("this app has no background session")
        case .refused(let refusal): preconditionFailure("it refuses: \(refusal)")
        }
    }

    private func fingerprint(of path: String) -> SourceFingerprint? {
        files[path].map {
            let date = dates[path] ?? UInt64($0.version.edit)
            return SourceFingerprint(size: $0.size, modified: date * 1_000_000_000)
        }
    }

    private mutating func write(_ pieces: [OutgoingPiece], on id: ConnectionID) {
        guard let connection = connections[id.number] else { return }
        var segments: [Segment] = []
        for piece in pieces {
            switch piece {
            case .bytes(let bytes): segments.append(.bytes(bytes))
            case .credential: preconditionFailure("nobody signs in here")
            case .file(let path, let offset, let length, let known):
                guard let file = files[path], known == fingerprint(of: path) else {
                    return jobs.append(.engine(.attempt(.unreadable(id))))
                }
                segments.append(
                    .content(ContentRange(file.version, offset: offset, length: length)))
            }
        }
        taken[id.number, default: .zero] += segments.length
        jobs.append(.server(.received(connection, segments)))
        jobs.append(.engine(.attempt(.taken(id, taken[id.number] ?? .zero))))
    }

    private mutating func step(_ input: ServerInput) {
        var outputs: [ServerOutput] = []
        _ = server.handle(input, at: now, into: &outputs)
        for output in outputs {
            switch output {
            case .stage(let upload, _, let segments):
                for case .content(let range) in segments {
                    staging[upload, default: []].join(range)
                    received.append(range)
                }
                let total = staging[upload, default: []].reduce(ByteCount.zero) { $0 + $1.length }
                jobs.append(.server(.staged(upload, total)))
            case .keep(let record): jobs.append(.server(.kept(record.id)))
            case .publish(let upload, let object):
                let content = staging[upload] ?? []
                publications[object.text, default: []].append(content)
                objects[object.text] = (content, 0)
                jobs.append(
                    .server(.published(upload, PublishedBody(version: 1, content: content))))
            case .send(let connection, let segments):
                if let id = connections.first(where: { $0.value == connection })?.key {
                    jobs.append(.engine(.attempt(.received(ConnectionID(id), segments))))
                }
            case .close(let connection):
                if let id = connections.first(where: { $0.value == connection })?.key {
                    connections[id] = nil
                    jobs.append(.engine(.attempt(.disconnected(ConnectionID(id), .closedByPeer))))
                }
            case .note, .admit: break
            case .ask(let ticket, let request):
                jobs.append(.server(.answered(ticket, answer(request))))
            case .discard(let upload): staging[upload] = nil
            case .stageProvisionally, .count, .sendBody, .closeBody, .hold, .goOn, .abort,
                .truncate, .restart, .failPower, .losePower:
                preconditionFailure("no upload of an engine ends in \(output)")
            }
        }
    }

    private func answer(_ request: StoreRequest) -> StoreAnswer {
        switch request {
        case .look(let path): return .found(entry(at: path), .folderStands)
        case .digest(let path):
            guard let entry = entry(at: path) else {
                return .failed(StoreFailure(.missing, "it is gone"))
            }
            return .digested(entry, .ranges(objects[path.text]?.content.digest ?? 0))
        default: preconditionFailure("no upload asks the store for \(request)")
        }
    }

    private func entry(at path: ObjectPath) -> StoredEntry? {
        objects[path.text].map { object in
            StoredEntry(
                name: path.name, isFolder: false,
                size: object.content.reduce(.zero) { $0 + $1.length }, version: 1,
                modified: object.date)
        }
    }
}
