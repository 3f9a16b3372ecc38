package import Content
import Facts
import Protocols
package import Quantities
package import RunLog
package import TransferEngine

/// Turns what a phone's transfer daemon is told and decides into events of the log. Each is an
/// event of the app for which it is done.
package struct DaemonRecorder: Sendable {
    private var names: DaemonNames
    /// What downloads bring.
    private var objects: [TransferID: String] = [:]
    /// `nil` is the first one.
    private let device: UInt16?
    private var lastSetAside: String?
    private var content = ExpectedContent<KeptByDaemon>([])
    private var starts: UInt32 = 0

    package init(apps: [AppNumbers], ofPhone phone: Int = 0) {
        names = DaemonNames(apps: apps)
        device = RunNames.number(ofPlace: phone)
    }

    /// Gives what the daemon says the names of this run; of its store no app knows.
    private mutating func record(_ fact: Fact, at now: Instant, into log: inout RunLogSink) {
        let fact = fact.renamed(&names)
        if case .store(let fact) = fact {
            log.record(.daemon(.store(fact, device: device)), at: now)
        } else {
            log.record(fact, at: now, app: names.app)
        }
    }

    /// The daemon has opened its store; `setAside` is a damaged one before it.
    package mutating func recordOpening(
        _ records: [TaskRecord], delays: [BackgroundDelay], after setAside: TaskStoreSetAside?,
        at now: Instant, into log: inout RunLogSink
    ) {
        let known = Set(content.tasks).union(setAside?.lost ?? [])
        let found = ExpectedContent<KeptByDaemon>(records, delays: delays)
        for record in records { noteDownload(of: record) }
        starts += 1
        // It tells at every opening of what became of the one before; that is news once.
        if let setAside, setAside.name != lastSetAside {
            lastSetAside = setAside.name
            // The number of an app may be part of the damage, and then nobody can name its task.
            let lost = known.subtracting(found.tasks).filter { $0.app < names.apps.count }.sorted()
            record(
                .store(
                    .setAside(
                        as: setAside.name, because: setAside.reason,
                        kept: found.tasks.map(\.name), lost: lost.map(\.name))),
                at: now, into: &log)
        }
        content = found
        record(
            .store(
                .opened(launch: starts, content: found.digest.value, sessions: records.count)),
            at: now, into: &log)
    }

    /// The daemon could not open its store.
    package mutating func recordFailedOpening(
        _ reason: String, at now: Instant, into log: inout RunLogSink
    ) {
        record(.store(.failed(reason: reason)), at: now, into: &log)
    }

    package func recordFlippedBits(
        _ count: UInt32, at now: Instant, into log: inout RunLogSink
    ) {
        log.record(.daemon(.bitsFlipped(count: count, device: device)), at: now)
    }

    /// The app begins as on the first day, and its tasks are counted on.
    package mutating func renumber(_ app: UInt16, as numbers: AppNumbers) {
        names.apps[Int(app)] = numbers
    }

    package mutating func record(
        _ input: DaemonInput, at now: Instant, into log: inout RunLogSink
    ) {
        switch input {
        case .persisted(let ticket):
            content.promised(ticket)
            record(.store(.committed(ticket: ticket.number)), at: now, into: &log)
        case .persistFailed(let ticket):
            content.refused(ticket)
            for (ticket, digest) in content.pending {
                record(
                    .store(.requested(ticket: ticket.number, content: digest.value, paths: [])),
                    at: now, into: &log)
            }
        case .attempt(.inspected(let transfer, .regularFile(let fingerprint)))
        where objects[transfer] == nil:
            record(.inspected(transfer, fingerprint), at: now, into: &log)
        case .attempt(.connected(let connection)):
            record(.connection(.established(connection.name)), at: now, into: &log)
        case .restored, .storeWasSetAside, .asked, .app, .attempt, .network, .charger, .wake:
            break
        }
    }

    package mutating func record(
        _ output: DaemonOutput, at now: Instant, into log: inout RunLogSink
    ) {
        switch output {
        case .attempt(.connect(let connection, let account, let item)):
            names.owners[connection.number] = TaskID(TransferID(item.number)).app
            record(.opening(connection, to: account, by: item), at: now, into: &log)
        case .attempt(.note(let note)): record(note.fact, at: now, into: &log)
        case .note(let note): record(note.fact, at: now, into: &log)
        case .hasWoken(let app):
            log.record(.background(.woken), at: now, app: names.apps[Int(app)].name)
        case .persist(let ticket, let change):
            content.asked(change, by: ticket)
            var paths: [String] = []
            if case .put(let task) = change {
                paths = [task.transfer.source]
                noteDownload(of: task)
            }
            record(
                .store(
                    .requested(
                        ticket: ticket.number, content: content.digest.value, paths: paths)),
                at: now, into: &log)
        case .attempt, .tell, .wakeApp, .discard: break
        }
    }

    private mutating func noteDownload(of task: TaskRecord) {
        if task.isDownload { objects[task.transfer.id] = task.transfer.source }
    }

    /// What a download has brought.
    package mutating func record(
        _ content: [ContentRange], by transfer: TransferID, at now: Instant,
        into log: inout RunLogSink
    ) {
        guard let object = objects[transfer] else { return }
        let name = names(transfer.name)
        log.record(.file(.downloaded(name, object: object, content)), at: now, app: names.app)
    }

    // MARK: Connections

    /// The daemon's connections have no launch.
    package func name(_ connection: ConnectionID) -> ConnectionName { connection.name }

    package mutating func record(
        _ connection: ConnectionID, boundTo interface: UInt16, at now: Instant,
        into log: inout RunLogSink
    ) {
        record(
            .connection(.bound(connection.name, interface: interface)), at: now, into: &log)
    }

    package mutating func record(
        end: ConnectionEnd, of connection: ConnectionID, transmitted: ByteCount,
        at now: Instant, into log: inout RunLogSink
    ) {
        record(
            .connection(.ended(connection.name, why: end, transmitted: transmitted)), at: now,
            into: &log)
    }
}
