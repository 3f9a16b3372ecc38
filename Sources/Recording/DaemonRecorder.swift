package import Content
package import Facts
import Protocols
package import Quantities
package import RunLog
package import TransferEngine

/// Writes the inputs and outputs of a phone's transfer daemon to the log. Each event belongs to the
/// app that the daemon works for.
package struct DaemonRecorder: Sendable {
    private var names: DaemonNames
    /// The objects of downloads.
    private var objects: [TransferID: String] = [:]
    /// The phone; `nil` is the first one.
    private let device: UInt16?
    private var lastSetAside: String?
    private var content = ExpectedContent<KeptByDaemon>([])
    private var starts: UInt32 = 0
    /// What the users of each app see, by the app's place.
    private var docroots: [SeenDocroots]

    package init(
        apps: [AppNumbers], ofPhone phone: Int = 0, seeing docroots: [SeenDocroots] = []
    ) {
        self.docroots = docroots
        names = DaemonNames(apps: apps)
        device = RunNames.number(ofPlace: phone)
    }

    /// Records a fact with the names of the run. Facts about the daemon's store belong to no app.
    package mutating func record(_ fact: Fact, at now: Instant, into log: inout RunLogSink) {
        let placed = docroots.reduce(fact) { $1.placed($0) }
        let fact = placed.renamed(&names)
        if case .store(let fact) = fact {
            log.record(.daemon(.store(fact, device: device)), at: now)
        } else {
            log.record(fact, at: now, app: names.app)
        }
    }

    /// Records the opening of the store. `setAside` is a damaged store before this one.
    package mutating func recordOpening(
        _ records: [TaskRecord], delays: [BackgroundDelay], after setAside: TaskStoreSetAside?,
        at now: Instant, into log: inout RunLogSink
    ) {
        let known = Set(content.tasks).union(setAside?.lost ?? [])
        let found = ExpectedContent<KeptByDaemon>(records, delays: delays)
        for record in records { note(record) }
        starts += 1
        // Every opening reports the store that was set aside; the log has it once.
        if let setAside, setAside.name != lastSetAside {
            lastSetAside = setAside.name
            // If the number of an app is damaged, its task has no name.
            let lost = known.subtracting(found.tasks).filter { $0.app < names.apps.count }.sorted()
            let fact = StoreFact.setAside(
                as: setAside.name, because: setAside.reason, kept: found.tasks.map(\.name),
                lost: lost.map(\.name))
            record(.store(fact), at: now, into: &log)
        }
        content = found
        let fact = StoreFact.opened(
            launch: starts, content: found.digest.value, sessions: records.count)
        record(.store(fact), at: now, into: &log)
    }

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

    /// Sets the numbers of an app whose data was cleared.
    package mutating func renumber(_ app: UInt16, as numbers: AppNumbers) {
        names.apps[Int(app)] = numbers
    }

    package mutating func record(
        _ input: DaemonInput, at now: Instant, into log: inout RunLogSink
    ) {
        switch input {
        case .persisted(let ticket):
            record(content.promised(ticket), at: now, into: &log)
        case .persistFailed(let ticket):
            for fact in content.refused(ticket) { record(fact, at: now, into: &log) }
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
        case .attempt(.connect(let connection, let account, let item?)):
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
                paths = [task.isDownload ? task.request.object : task.transfer.source]
                note(task)
            }
            record(content.requested(ticket, paths: paths), at: now, into: &log)
        case .attempt, .tell, .wakeApp, .sync, .discard: break
        }
    }

    private mutating func note(_ task: TaskRecord) {
        var object = task.request.object
        if docroots.indices.contains(Int(task.id.app)) {
            docroots[Int(task.id.app)].belongs(task.id.name, to: task.account)
            object = docroots[Int(task.id.app)].place(of: object, for: task.id.name)
        }
        if task.isDownload { objects[task.transfer.id] = object }
    }

    /// Records the content that a download has brought.
    package mutating func record(
        _ content: [ContentRange], by transfer: TransferID, at now: Instant,
        into log: inout RunLogSink
    ) {
        guard let object = objects[transfer] else { return }
        let name = names(transfer.name)
        log.record(.file(.downloaded(name, object: object, content)), at: now, app: names.app)
    }

    /// The name of a connection; the daemon's connections have no launch.
    package func name(_ connection: ConnectionID) -> ConnectionName { connection.name }
}
