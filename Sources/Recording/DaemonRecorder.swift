package import Content
import Protocols
package import Quantities
package import RunLog
package import TransferEngine

/// Turns what a phone's transfer daemon is told and decides into events of the log. Each is an
/// event of the app for which it is done.
package struct DaemonRecorder: Sendable {
    /// By their places on the phone.
    private var apps: [AppNumbers]
    /// For whom each connection was opened.
    private var owners: [ConnectionID: UInt16] = [:]
    /// What downloads bring.
    private var objects: [TransferID: String] = [:]
    /// `nil` is the first one.
    private let device: UInt16?
    private var lastSetAside: String?
    private var content = ExpectedContent<KeptByDaemon>([])
    private var starts: UInt32 = 0

    package init(apps: [AppNumbers], ofPhone phone: Int = 0) {
        self.apps = apps
        device = phone == 0 ? nil : UInt16(phone + 1)
    }

    /// The daemon has opened its store; `setAside` is a damaged one before it.
    package mutating func recordOpening(
        _ records: [TaskRecord], delays: [BackgroundDelay], after setAside: TaskStoreSetAside?,
        at now: Instant, into log: inout RunLogSink
    ) {
        let known = Set(content.tasks).union(setAside?.lost ?? [])
        let found = ExpectedContent<KeptByDaemon>(records, delays: delays)
        starts += 1
        // It tells at every opening of what became of the one before; that is news once.
        if let setAside, setAside.name != lastSetAside {
            lastSetAside = setAside.name
            // The number of an app may be part of the damage, and then nobody can name its task.
            let lost = known.subtracting(found.tasks).filter { $0.app < apps.count }.sorted()
            record(
                .setAside(
                    as: setAside.name, because: setAside.reason, kept: found.tasks.map(name),
                    lost: lost.map(name)), at: now, into: &log)
        }
        content = found
        record(
            .opened(launch: starts, content: found.digest.value, sessions: records.count),
            at: now, into: &log)
    }

    /// The daemon could not open its store.
    package func recordFailedOpening(
        _ reason: String, at now: Instant, into log: inout RunLogSink
    ) {
        record(.failed(reason: reason), at: now, into: &log)
    }

    package func recordFlippedBits(
        _ count: UInt32, at now: Instant, into log: inout RunLogSink
    ) {
        log.record(.daemon(.bitsFlipped(count: count, device: device)), at: now)
    }

    private func record(_ fact: StoreFact, at now: Instant, into log: inout RunLogSink) {
        log.record(.daemon(.store(fact, device: device)), at: now)
    }

    /// The app begins as on the first day, and its tasks are counted on.
    package mutating func renumber(_ app: UInt16, as numbers: AppNumbers) {
        apps[Int(app)] = numbers
    }

    package mutating func record(
        _ input: DaemonInput, at now: Instant, into log: inout RunLogSink
    ) {
        switch input {
        case .persisted(let ticket):
            content.promised(ticket)
            record(.committed(ticket: ticket.number), at: now, into: &log)
        case .persistFailed(let ticket):
            content.refused(ticket)
            for (ticket, digest) in content.pending {
                record(
                    .requested(ticket: ticket.number, content: digest.value, paths: []),
                    at: now, into: &log)
            }
        case .attempt(.inspected(let transfer, .regularFile(let fingerprint)))
        where objects[transfer] == nil:
            let fact = EngineFact.inspected(
                name(transfer), size: fingerprint.size, modified: fingerprint.modified)
            log.record(.engine(fact), at: now, app: app(TaskID(transfer).app))
        case .attempt(.connected(let connection)):
            log.record(
                .connection(.established(Self.name(connection))), at: now, app: owner(connection))
        case .restored, .storeWasSetAside, .asked, .app, .attempt, .network, .charger, .wake:
            break
        }
    }

    package mutating func record(
        _ output: DaemonOutput, at now: Instant, into log: inout RunLogSink
    ) {
        switch output {
        case .attempt(.connect(let connection, let account, let item)):
            let task = TaskID(TransferID(item.number))
            owners[connection] = task.app
            let fact = ConnectionFact.opening(
                Self.name(connection), to: "\(account.host):\(account.port)", by: name(task))
            log.record(.connection(fact), at: now, app: app(task.app))
        case .attempt(.note(let note)): record(note, at: now, into: &log)
        case .note(let note): record(note, at: now, into: &log)
        case .persist(let ticket, let change):
            content.asked(change, by: ticket)
            var paths: [String] = []
            if case .put(let task) = change { paths = [task.transfer.source] }
            record(
                .requested(ticket: ticket.number, content: content.digest.value, paths: paths),
                at: now, into: &log)
        case .attempt, .tell, .wakeApp, .discard: break
        }
    }

    /// What a download has brought.
    package func record(
        _ content: [ContentRange], by transfer: TransferID, at now: Instant,
        into log: inout RunLogSink
    ) {
        guard let object = objects[transfer] else { return }
        log.record(
            .file(.downloaded(name(transfer), object: object, content)), at: now,
            app: app(TaskID(transfer).app))
    }

    // MARK: Connections

    /// It is on this interface, where there is a choice or was one.
    package func record(
        _ connection: ConnectionID, boundTo interface: UInt16, at now: Instant,
        into log: inout RunLogSink
    ) {
        let fact = ConnectionFact.bound(Self.name(connection), interface: interface)
        log.record(.connection(fact), at: now, app: owner(connection))
    }

    /// A connection is over, and so many bytes of its stream had left by then.
    package func record(
        end: ConnectionEnd, of connection: ConnectionID, transmitted: ByteCount,
        at now: Instant, into log: inout RunLogSink
    ) {
        let fact = ConnectionFact.ended(
            Self.name(connection), why: end, transmitted: transmitted)
        log.record(.connection(fact), at: now, app: owner(connection))
    }

    package static func name(_ connection: ConnectionID) -> ConnectionName {
        ConnectionName(launch: 0, number: connection.number)
    }

    // MARK: Notes

    private mutating func record(_ note: DaemonNote, at now: Instant, into log: inout RunLogSink) {
        switch note {
        case .accepted(let record):
            if record.isDownload { objects[record.transfer.id] = record.transfer.source }
            let transfer = AcceptedTransfer(
                transfer: name(record.transfer.id), source: record.transfer.source,
                destination: record.isDownload ? "" : record.transfer.destination,
                isDownload: record.isDownload)
            let whose = app(record.id.app)
            log.record(
                .engine(.accepts(name(record.id), index: nil, [transfer])), at: now, app: whose)
            // What is discretionary waits for Wi-Fi and a charger.
            let own = record.isDiscretionary ? record.limits.union(.noCellular) : record.limits
            guard !own.isEmpty else { return }
            var limits = ItemLimits(own)
            if record.isDiscretionary { limits.needsCharger = true }
            log.record(.engine(.isLimited(name(record.id), limits)), at: now, app: whose)
        case .found(let task, let state, let outcome):
            log.record(
                .engine(.found(name(task), Self.stage(state, outcome))), at: now,
                app: app(task.app))
        case .moved(let task, let from, let to, let outcome, let because):
            let fact = EngineFact.moves(
                name(task), from: Self.stage(from, nil), to: Self.stage(to, outcome),
                because: because)
            log.record(.engine(fact), at: now, app: app(task.app))
        case .attempt(let task, let number):
            log.record(
                .engine(.attempt(name(task), number: number)), at: now, app: app(task.app))
        case .fails(let task, let error, let pause):
            let fact = EngineFact.fails(
                name(task), code: error.rawValue, message: error.message, retryIn: pause)
            log.record(.engine(fact), at: now, app: app(task.app))
        case .waits(let task, let because):
            log.record(
                .engine(.waitsForNetwork(name(task), because: because)), at: now,
                app: app(task.app))
        case .delays(let task, let delay):
            log.record(.engine(.delays(name(task), by: delay)), at: now, app: app(task.app))
        case .wakes(let whose): log.record(.background(.woken), at: now, app: app(whose))
        case .storeFailed:
            record(.failed(reason: "it did not keep a change"), at: now, into: &log)
        }
    }

    /// What a lane says of its attempt.
    private func record(_ note: EngineNote, at now: Instant, into log: inout RunLogSink) {
        switch note {
        case .sends(let transfer, let resource, let from, let connection, let bodyAt):
            let fact = EngineFact.sends(
                name(transfer), resource: ResourceName(resource), from: from,
                on: Self.name(connection), bodyAt: bodyAt)
            log.record(.engine(fact), at: now, app: owner(connection))
        case .asks(let connection, let head):
            let fact = ConnectionFact.request(
                Self.name(connection), method: head.method, target: head.target)
            log.record(.connection(fact), at: now, app: owner(connection))
        case .isAnswered(let connection, let head):
            let fact = ConnectionFact.response(
                Self.name(connection), status: head.status, retryAfter: head.retryAfter)
            log.record(.connection(fact), at: now, app: owner(connection))
        case .resumes(let transfer, let resource, let offset):
            let fact = EngineFact.resumes(
                name(transfer), resource: ResourceName(resource), at: offset)
            log.record(.engine(fact), at: now, app: app(TaskID(transfer).app))
        case .startsOver(let transfer, let because):
            log.record(
                .engine(.startsOver(name(transfer), because: because)), at: now,
                app: app(TaskID(transfer).app))
        case .completes(let transfer):
            log.record(
                .engine(.completes(name(transfer))), at: now, app: app(TaskID(transfer).app))
        default: preconditionFailure("a lane of the daemon says \(note)")
        }
    }

    private static func stage(_ state: TaskState, _ outcome: TaskOutcome?) -> ItemStage {
        switch (state, outcome) {
        case (.suspended, _): .suspended
        case (.running, _): .running
        case (.finished, .failed), (.finished, nil): .failed
        case (.finished, .answered): .completed
        }
    }

    private func name(_ task: TaskID) -> ItemName { apps[Int(task.app)].name(ofTask: task.number) }

    private func name(_ transfer: TransferID) -> TransferName {
        let task = name(TaskID(transfer))
        return TransferName(task.number, of: task.facade)
    }

    private func app(_ place: UInt16) -> UInt16? { apps[Int(place)].name }

    private func owner(_ connection: ConnectionID) -> UInt16? { owners[connection].flatMap(app) }
}
