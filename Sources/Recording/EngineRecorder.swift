package import Facts
import Protocols
package import Quantities
package import RunLog
package import TransferEngine

/// Writes an engine's inputs and outputs to the log, for one launch of an app. Both worlds use it,
/// so that their logs are alike.
package struct EngineRecorder: Sendable {
    private var names: AppNames
    /// The transfers that are downloads.
    private var objects: Set<TransferID> = []
    private var content: ExpectedContent<KeptByApp>
    private var docroots: SeenDocroots

    /// - Parameter records: The sessions that this launch found in the store, as well as `entries`
    ///   and `accounts`.
    package init(
        launch: UInt32, of app: AppNumbers = AppNumbers(), restored records: [SessionRecord],
        _ entries: [EntryRecord] = [], accounts: [AccountRecord] = [],
        seeing docroots: SeenDocroots = SeenDocroots()
    ) {
        self.docroots = docroots
        names = AppNames(app: app, launch: launch)
        content = ExpectedContent(records, entries, accounts)
        for record in records { note(record) }
        for record in entries { note(record) }
    }

    package mutating func record(_ fact: Fact, at now: Instant, into log: inout RunLogSink) {
        log.record(docroots.placed(fact).renamed(&names), at: now, app: names.app.name)
    }

    /// Records the opening of the store. `setAside` is a damaged store before this one, until the
    /// app knows of it.
    package mutating func recordOpening(
        after setAside: StoreSetAside?, at now: Instant, into log: inout RunLogSink
    ) {
        if let setAside {
            let kept = content.sessions.map(\.name) + content.entries.map(\.name)
            let lost = setAside.lost.map(\.name) + setAside.lostEntries.map(\.name)
            let fact = StoreFact.setAside(
                as: setAside.name, because: setAside.reason, kept: kept, lost: lost)
            record(.store(fact), at: now, into: &log)
        }
        let fact = StoreFact.opened(
            launch: names.launch, content: content.digest.value, sessions: content.itemCount)
        record(.store(fact), at: now, into: &log)
    }

    /// Records an input; most inputs are in the log already.
    package mutating func record(
        _ input: EngineInput, at now: Instant, into log: inout RunLogSink
    ) {
        switch input {
        case .persisted(let ticket):
            record(content.promised(ticket), at: now, into: &log)
        case .attempt(.inspected(let transfer, .regularFile(let fingerprint)))
        where !objects.contains(transfer):
            record(.inspected(transfer, fingerprint), at: now, into: &log)
        case .attempt(.connected(let connection)):
            record(.connection(.established(connection.name)), at: now, into: &log)
        case .persistFailed(let ticket, _):
            for fact in content.refused(ticket) { record(fact, at: now, into: &log) }
        case .command(.queue(_, let request?)):
            record(.queue(.requested(request.number)), at: now, into: &log)
        case .command(.operation(.start(let id, let request))):
            docroots.belongs(ItemName(id.number, of: .operations), to: request.account)
        case .restored, .storeWasSetAside, .heldEntries, .command, .credential, .daemon, .attempt,
            .wake, .enteredBackground, .enteredForeground, .backgroundTimeExpires, .network:
            break
        }
    }

    package mutating func record(
        _ output: EngineOutput, at now: Instant, into log: inout RunLogSink
    ) {
        switch output {
        case .persist(let ticket, let change):
            if case .put(let record) = change { note(record) }
            if case .putEntry(let record) = change { note(record) }
            content.asked(change, by: ticket)
            record(content.requested(ticket, paths: change.paths), at: now, into: &log)
        case .attempt(.connect(let connection, let account, let item)):
            record(.opening(connection, to: account, by: item), at: now, into: &log)
        case .attempt(.connectPaced(let connection, let route, let item)):
            record(.opening(connection, to: route, by: item), at: now, into: &log)
        case .attempt(.connectChannel(let connection, let other, let item)):
            let peer = "beside \(names(other.name))"
            record(
                .connection(.opening(connection.name, to: peer, by: item)), at: now, into: &log)
        case .tell(let news):
            if let fact = news.fact { record(fact, at: now, into: &log) }
        case .note(let note): record(note.fact, at: now, into: &log)
        // The device's facts report background tasks.
        case .attempt, .beginBackgroundTask, .endBackgroundTask, .askDaemon: break
        }
    }

    package func transfer(ofTask number: UInt64) -> TransferName {
        TransferName(names.app.name(ofTask: number))
    }

    package func name(_ transfer: TransferID) -> TransferName { names(transfer.name) }

    package func name(_ connection: ConnectionID) -> ConnectionName { names(connection.name) }

    private mutating func note(_ record: EntryRecord) {
        docroots.belongs(record.id.name, to: record.account)
    }

    private mutating func note(_ record: SessionRecord) {
        docroots.belongs(record.id.name, to: record.account)
        guard record.isDownload else { return }
        objects.formUnion(record.transfers.map(\.id))
    }
}

extension Fact {
    fileprivate static func opening(
        _ connection: ConnectionID, to route: PacedRoute, by item: ItemName
    ) -> Fact {
        let peer = "\(route.account.host):\(route.port), paced"
        return .connection(.opening(connection.name, to: peer, by: item))
    }

    static func inspected(_ transfer: TransferID, _ found: SourceFingerprint) -> Fact {
        .engine(.inspected(transfer.name, size: found.size, modified: found.modified))
    }

    static func opening(
        _ connection: ConnectionID, to account: Account, by item: ItemName?
    ) -> Fact {
        .connection(
            .opening(connection.name, to: "\(account.host):\(account.port)", by: item))
    }
}
