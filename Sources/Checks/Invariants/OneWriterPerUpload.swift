import Quantities
import RunLog

/// S6: "At most one live writer per upload resource."
/// At the server, an append ends before the next one begins. In the app, no request appends to a
/// resource while another request of the same launch does. Each request of an operation or a task
/// is an upload of its own; of several requests to one object, the last one wins.
struct OneWriterPerUpload: Invariant {
    private(set) var watch = Watch()
    /// Resources with an open append at the server.
    private var open: Set<ResourceName> = []
    private var writers: [Written: Writer] = [:]
    /// The session of each connection.
    private var owners: [ConnectionName: ItemName] = [:]
    /// Ended connections. An app that was asleep may write to one before it hears of the end, but
    /// nothing leaves the phone.
    private var ended: Set<ConnectionName> = []
    private var hasEvidence = false
    private(set) var evidence = Evidence<Clause>()
    /// The moment at which the last append to each resource ended without being complete.
    private var brokenOff: [ResourceName: Instant] = [:]
    /// Resources about which another connection asks while an append is open.
    private var knocked: Set<ResourceName> = []
    /// The connection that last wrote to each upload.
    private var lastWriters: [Written: ConnectionName] = [:]

    private struct Written: Hashable, Sendable {
        var resource: ResourceName
        /// The transfer of the upload, if the resource is the object itself.
        var owner: TransferName?
    }

    private struct Writer: Sendable {
        var connection: ConnectionName
        var session: ItemName?
    }

    var rule: String { "S6" }
    var statement: String { "an upload has one writer at a time" }

    mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        switch event.fact {
        case .server(.appendBegan(let resource, _, _)):
            let isKnocked = knocked.remove(resource) != nil
            evidence.decides(.takenOver, if: brokenOff[resource] == event.at && isKnocked)
            begin(resource)
        case .server(.appendEnded(let resource, _, let isComplete)):
            if !isComplete, open.contains(resource) { brokenOff[resource] = event.at }
            open.remove(resource)
        case .server(.acknowledged(let resource, _)):
            let at = brokenOff.removeValue(forKey: resource)
            let isKnocked = knocked.remove(resource) != nil
            evidence.decides(.takenOver, if: at == event.at && isKnocked)
        case .server(.discarded(let resource, _)), .server(.published(let resource, _, _, _)):
            brokenOff[resource] = nil
            open.remove(resource)
        case .connection(.opening(let connection, _, let item)): owners[connection] = item
        case .connection(.request(let connection, _, let target)):
            let resource = ResourceName(target)
            guard open.contains(resource), let last = lastWriters[Written(resource: resource)],
                last != connection
            else { return }
            knocked.insert(resource)
        case .engine(.sends(let transfer, let resource, _, let connection, _)):
            judge(connection, writing: transfer, to: resource)
        case .connection(.response(let connection, _, _)): release { $0.connection == connection }
        case .connection(.ended(let connection, _, _)):
            release { $0.connection == connection }
            owners[connection] = nil
            ended.insert(connection)
        // The engine has closed its connections; the network will report that later.
        case .queue(.callback(let session, .didStopRunning)): release { $0.session == session }
        // The item's old connections were closed before the new attempt.
        case .engine(.attempt(let item, _))
        where item.facade != .queue:
            release { $0.session == item }
        case .device(.appKilled(let launch, _)), .device(.appCrashed(let launch, _)):
            release { $0.connection.launch == launch }
        default: break
        }
    }

    var reasonNotToJudge: String? { hasEvidence ? nil : "there were no appends" }

    var clauses: [DecidedClause] { evidence.all }

    private mutating func begin(_ resource: ResourceName) {
        hasEvidence = true
        guard !open.insert(resource).inserted else { return }
        watch.fall(
            expected: "the append to \(resource) ends before another begins",
            seen: "another begins")
    }

    private mutating func judge(
        _ connection: ConnectionName, writing transfer: TransferName, to resource: ResourceName
    ) {
        hasEvidence = true
        guard !ended.contains(connection) else { return }
        let isOneRequest = transfer.facade == .operations || transfer.facade == .background
        let written = Written(resource: resource, owner: isOneRequest ? transfer : nil)
        let last = lastWriters.updateValue(connection, forKey: written)
        evidence.decides(
            .oneConnection,
            if: last.map { $0 != connection && $0.launch == connection.launch } ?? false)
        if let other = writers[written], other.connection != connection {
            watch.fall(
                expected:
                    "\(other.connection) is done with \(resource) before another connection "
                    + "writes to it",
                seen: "\(connection) writes to it")
        }
        writers[written] = Writer(connection: connection, session: owners[connection])
    }

    private mutating func release(_ isOver: (Writer) -> Bool) {
        // any order: each is looked at by itself
        writers = writers.filter { !isOver($0.value) }
    }
}

extension OneWriterPerUpload {
    enum Clause: String, ClauseName {
        /// Decided by an append that is broken off at the moment at which another client's request
        /// about the same upload is answered: a second writer knocked while the first was at work.
        case takenOver = "taken over"
        /// Decided by an upload that goes on over another connection of the same launch: the first
        /// connection could still be writing.
        case oneConnection = "one connection"

        var sentence: String {
            switch self {
            case .takenOver: "the server ends an append before another one takes over"
            case .oneConnection: "an app closes a connection before another one writes on"
            }
        }
    }
}
