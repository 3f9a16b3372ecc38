import Quantities

/// A resumable transfer in the engine: its record, and its current phase.
///
///     entering ──▶ examining ──▶ running ──▶ examining ──▶ running ──▶ leaving
///                      └────────────┴──▶ resting
///     a download: entering ──▶ running ──▶ finishing ──▶ placing ──▶ leaving
///
/// Every promise is durable first: *entering* waits for the store to have the entry, *finishing*
/// for it to know that a download is complete, *leaving* for the entry to be gone.
struct Entry: Hashable, Sendable {
    var record: EntryRecord
    var phase: Phase
    /// The source when its content was last compared.
    var compared: SourceFingerprint?
    /// Whether to suspend after the chunk in flight (K3).
    var isToSuspend = false
    /// The end of a download's current chunk.
    var chunkEnd = ByteCount.zero
    /// Whether the log knows the entry.
    var isAccepted = false

    enum Phase: Hashable, Sendable {
        case entering(PersistTicket)
        case examining(Purpose)
        case running(Lane)
        case finishing(PersistTicket)
        case placing
        /// Suspended.
        case resting
        /// Leaving the store; the app is then told.
        case leaving(PersistTicket, EntryNews)
    }

    /// Why the source file is being examined.
    enum Purpose: Hashable, Sendable {
        /// To begin, or to begin anew after nothing was achieved.
        case start
        case resume
        /// The source had changed when it was read.
        case goOn
        /// Everything is sent: the source must be unchanged before the commit.
        case commit(Lane, then: Step)
    }

    var lane: Lane? {
        switch phase {
        case .running(let lane), .examining(.commit(let lane, _)): lane
        case .entering, .examining, .finishing, .placing, .resting, .leaving: nil
        }
    }

    /// Whether the transfer is on its way from suspended to ongoing.
    var isResuming: Bool {
        if case .examining = phase { record.state == .suspended } else { false }
    }

    /// Whether stopping now would lose nothing that is in flight.
    var isBetweenChunks: Bool {
        switch phase {
        case .examining, .resting: true
        case .entering, .finishing, .placing, .leaving: false
        case .running(let lane):
            switch lane.phase {
            case .idle, .looking, .skipping, .opening: true
            case .asking(let request): !request.isCommit
            case .saving, .sending, .receiving, .placing, .keeping: false
            }
        }
    }
}

extension TransferRequest {
    fileprivate var isCommit: Bool { KiiDialogue.commits(.ask(self)) }
}

/// A message that tells a server to discard an upload, as nobody will continue it.
struct Farewell: Hashable, Sendable {
    let id: EntryID
    let account: Account
    let request: TransferRequest
    var lane: Lane
}
