import Facts
import Protocols
package import Quantities
package import RunLog
package import TransferEngine

/// Turns what an engine is told and what it wants into events of the log.
///
/// One recorder follows one launch; both worlds use it, so that they speak the same language.
package struct EngineRecorder: Sendable {
    private var names: AppNames
    /// What downloads bring.
    private var objects: Set<TransferID> = []
    private var content: ExpectedContent<KeptByApp>

    /// All these are what the store was found to hold at this launch.
    package init(
        launch: UInt32, of app: AppNumbers = AppNumbers(), restored records: [SessionRecord],
        _ entries: [EntryRecord] = [], accounts: [AccountRecord] = []
    ) {
        names = AppNames(app: app, launch: launch)
        content = ExpectedContent(records, entries, accounts)
        for record in records { noteDownloads(of: record) }
    }

    /// Gives what the engine says the names of this run.
    private mutating func record(_ fact: Fact, at now: Instant, into log: inout RunLogSink) {
        log.record(fact.renamed(&names), at: now, app: names.app.name)
    }

    /// `setAside` is the damaged store before this one, until the app has heard of it.
    package mutating func recordOpening(
        after setAside: StoreSetAside?, at now: Instant, into log: inout RunLogSink
    ) {
        if let setAside {
            let kept = content.sessions.map(\.name) + content.entries.map(\.name)
            let lost = setAside.lost.map(\.name) + setAside.lostEntries.map(\.name)
            record(
                .store(
                    .setAside(
                        as: setAside.name, because: setAside.reason, kept: kept, lost: lost)),
                at: now, into: &log)
        }
        record(
            .store(
                .opened(
                    launch: names.launch, content: content.digest.value,
                    sessions: content.itemCount)),
            at: now, into: &log)
    }

    /// What the world tells the engine; most of it shows elsewhere already.
    package mutating func record(
        _ input: EngineInput, at now: Instant, into log: inout RunLogSink
    ) {
        switch input {
        case .persisted(let ticket):
            content.promised(ticket)
            record(.store(.committed(ticket: ticket.number)), at: now, into: &log)
        case .attempt(.inspected(let transfer, .regularFile(let fingerprint)))
        where !objects.contains(transfer):
            record(.inspected(transfer, fingerprint), at: now, into: &log)
        case .attempt(.connected(let connection)):
            record(.connection(.established(connection.name)), at: now, into: &log)
        case .persistFailed(let ticket, _):
            content.refused(ticket)
            // What was asked for since was asked for behind a change that is none any more.
            for (ticket, digest) in content.pending {
                record(
                    .store(.requested(ticket: ticket.number, content: digest.value, paths: [])),
                    at: now, into: &log)
            }
        case .restored, .storeWasSetAside, .heldEntries, .command, .daemon, .attempt, .wake,
            .enteredBackground, .enteredForeground, .backgroundTimeExpires, .network:
            break
        }
    }

    package mutating func record(
        _ output: EngineOutput, at now: Instant, into log: inout RunLogSink
    ) {
        switch output {
        case .persist(let ticket, let change):
            if case .put(let record) = change { noteDownloads(of: record) }
            content.asked(change, by: ticket)
            record(
                .store(
                    .requested(
                        ticket: ticket.number, content: content.digest.value,
                        paths: change.paths)),
                at: now, into: &log)
        case .attempt(.connect(let connection, let account, let item)):
            record(.opening(connection, to: account, by: item), at: now, into: &log)
        case .tell(let news):
            if let fact = news.fact { record(fact, at: now, into: &log) }
        case .note(let note): record(note.fact, at: now, into: &log)
        // The phone tells of its tasks.
        case .attempt, .beginBackgroundTask, .endBackgroundTask, .askDaemon: break
        }
    }

    package mutating func record(
        _ connection: ConnectionID, boundTo interface: UInt16, at now: Instant,
        into log: inout RunLogSink
    ) {
        record(
            .connection(.bound(connection.name, interface: interface)), at: now, into: &log)
    }

    package mutating func record(
        end: ConnectionEnd, of connection: ConnectionID, transmitted: ByteCount, at now: Instant,
        into log: inout RunLogSink
    ) {
        record(
            .connection(.ended(connection.name, why: end, transmitted: transmitted)), at: now,
            into: &log)
    }

    /// The transfer that a task of the app is.
    package func transfer(ofTask number: UInt64) -> TransferName {
        TransferName(names.app.name(ofTask: number))
    }

    package func name(_ transfer: TransferID) -> TransferName { names(transfer.name) }

    package func name(_ connection: ConnectionID) -> ConnectionName { names(connection.name) }

    private mutating func noteDownloads(of record: SessionRecord) {
        guard record.isDownload else { return }
        objects.formUnion(record.transfers.map(\.id))
    }
}

extension Fact {
    static func inspected(_ transfer: TransferID, _ found: SourceFingerprint) -> Fact {
        .engine(.inspected(transfer.name, size: found.size, modified: found.modified))
    }

    static func opening(
        _ connection: ConnectionID, to account: Account, by item: ItemName
    ) -> Fact {
        .connection(
            .opening(connection.name, to: "\(account.host):\(account.port)", by: item))
    }
}
