import Quantities

/// A resumable transfer in the engine: what is kept of it, and what is being done for it now.
///
///     entering ──▶ examining ──▶ running ──▶ examining ──▶ running ──▶ leaving
///                      └────────────┴──▶ resting
///     a download: entering ──▶ running ──▶ finishing ──▶ placing ──▶ leaving
///
/// Every promise is durable first: *entering* waits for the store to have the entry, *finishing*
/// for it to have that a download is whole, *leaving* for the entry to be gone.
struct Entry: Hashable, Sendable {
    var record: EntryRecord
    var phase: Phase
    /// It is to be suspended as soon as the chunk in flight is over (K3).
    var isToSuspend = false
    /// Of a download: where that chunk ends.
    var chunkEnd = ByteCount.zero
    /// The log knows of it.
    var isAccepted = false

    enum Phase: Hashable, Sendable {
        case entering(PersistTicket)
        case examining(Purpose)
        case running(Lane)
        case finishing(PersistTicket)
        case placing
        /// Suspended.
        case resting
        /// What the app is told then.
        case leaving(PersistTicket, EntryNews)
    }

    /// What for the source of an upload is looked at.
    enum Purpose: Hashable, Sendable {
        /// To begin it, or to begin it anew as it had not come to anything yet.
        case start
        case resume
        /// It was not what it was as it was read.
        case goOn
        /// Everything is there: what is committed has to be what it began with.
        case commit(Lane, then: Step)
    }

    var lane: Lane? {
        switch phase {
        case .running(let lane), .examining(.commit(let lane, _)): lane
        case .entering, .examining, .finishing, .placing, .resting, .leaving: nil
        }
    }

    /// It is on its way from suspended to ongoing.
    var isResuming: Bool {
        if case .examining = phase { record.state == .suspended } else { false }
    }

    /// Nothing that is in flight would be lost if it stopped right now.
    var isBetweenChunks: Bool {
        switch phase {
        case .examining, .resting: true
        case .entering, .finishing, .placing, .leaving: false
        case .running(let lane):
            switch lane.phase {
            case .idle, .looking, .skipping: true
            case .asking(let request): !request.isCommit
            case .saving, .sending, .receiving, .placing, .keeping: false
            }
        }
    }
}

extension TransferRequest {
    fileprivate var isCommit: Bool { KiiDialogue.commits(.ask(self)) }
}

/// A server is told that nobody will come back for what it has of an upload.
struct Farewell: Hashable, Sendable {
    let id: EntryID
    let request: TransferRequest
    var lane: Lane
}
