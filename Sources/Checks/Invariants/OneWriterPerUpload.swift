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
        case .server(.appendBegan(let resource, _, _)): begin(resource)
        case .server(.appendEnded(let resource, _, _)), .server(.discarded(let resource, _)),
            .server(.published(let resource, _, _, _)):
            open.remove(resource)
        case .connection(.opening(let connection, _, let item)): owners[connection] = item
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
