package import Quantities

/// What the engine decides, beneath what the app is told.
package enum EngineFact: Hashable, Sendable, Codable {
    /// An item was taken, and a promise given to keep it; a session has this index in the queue. A
    /// launch says it again of one that never ran: the app that added it may have died before it
    /// heard.
    case accepts(ItemName, index: Int?, [AcceptedTransfer])
    /// An item that was accepted does not use every network (B13).
    case isLimited(ItemName, NetworkLimits)
    /// A session that was accepted has no files of its own: paths are added while it runs.
    case isPersistent(ItemName)
    /// A session goes otherwise than by default.
    case goesBy(ItemName, TransferSettings)
    /// An item moved between the states of its façade's table.
    case moves(ItemName, from: ItemStage, to: ItemStage, because: String)
    /// A launch has found the item in its store, and leaves it as it is.
    case found(ItemName, ItemStage)
    /// An attempt to run an item begins; the first has number 1.
    case attempt(ItemName, number: Int)
    /// The source as it is now, at the start or before a resume.
    case inspected(TransferName, size: ByteCount, modified: UInt64)
    /// The engine goes on at the offset that the server named.
    case resumes(TransferName, resource: ResourceName, at: ByteCount)
    /// What it resumes need not be of the same source: the policy of its session does not see all.
    case isUnproven(TransferName, because: ResumeBlindSpot)
    /// Nothing is transferred: what stands where it goes stays there, and that is as good.
    case keepsTarget(TransferName, because: TargetKept)
    /// The engine begins at byte 0 although bytes had been acknowledged before.
    case startsOver(TransferName, because: String)
    /// Body bytes from this offset on go out; the body begins at that place of the connection's
    /// stream.
    case sends(
        TransferName, resource: ResourceName, from: ByteCount, on: ConnectionName, bodyAt: ByteCount
    )
    /// The server has confirmed the last byte.
    case completes(TransferName)
    /// A path of a persistent session has come to its end without its file: nobody will come back
    /// for it.
    case givesUp(TransferName, because: String)
    /// It would run, and there is no network that it may use; the user can see that.
    case waitsForNetwork(ItemName, because: String)
    /// It was made in the background, and begins so much later (B11).
    case delays(ItemName, by: TimeSpan)
    /// An attempt met an error; a retryable one within budget is tried again after a pause.
    case fails(ItemName, code: Int, message: String, retryIn: TimeSpan?)

    /// What becomes of a credential that expires.
    case token(ItemName, TokenStep)

    package static func fails(
        _ item: ItemName, _ error: some PublishedError, retryIn pause: TimeSpan? = nil
    ) -> EngineFact {
        .fails(item, code: error.code, message: error.message, retryIn: pause)
    }

    // The names that values without a label have in `events.jsonl`.
    private enum AcceptsCodingKeys: String, CodingKey {
        case _0 = "item", index, _2 = "transfers"
    }
    private enum IsLimitedCodingKeys: String, CodingKey { case _0 = "item", _1 = "limits" }
    private enum IsPersistentCodingKeys: String, CodingKey { case _0 = "item" }
    private enum GoesByCodingKeys: String, CodingKey { case _0 = "item", _1 = "settings" }
    private enum IsUnprovenCodingKeys: String, CodingKey { case _0 = "transfer", because }
    private enum KeepsTargetCodingKeys: String, CodingKey { case _0 = "transfer", because }
    private enum MovesCodingKeys: String, CodingKey { case _0 = "item", from, to, because }
    private enum FoundCodingKeys: String, CodingKey { case _0 = "item", _1 = "stage" }
    private enum AttemptCodingKeys: String, CodingKey { case _0 = "item", number }
    private enum InspectedCodingKeys: String, CodingKey { case _0 = "transfer", size, modified }
    private enum ResumesCodingKeys: String, CodingKey { case _0 = "transfer", resource, at }
    private enum StartsOverCodingKeys: String, CodingKey { case _0 = "transfer", because }
    private enum SendsCodingKeys: String, CodingKey {
        case _0 = "transfer", resource, from, on, bodyAt
    }
    private enum TokenCodingKeys: String, CodingKey { case _0 = "name", _1 = "step" }
    private enum CompletesCodingKeys: String, CodingKey { case _0 = "transfer" }
    private enum GivesUpCodingKeys: String, CodingKey { case _0 = "transfer", because }
    private enum WaitsForNetworkCodingKeys: String, CodingKey { case _0 = "item", because }
    private enum DelaysCodingKeys: String, CodingKey { case _0 = "item", by }
    private enum FailsCodingKeys: String, CodingKey { case _0 = "item", code, message, retryIn }

    package var sentence: String {
        switch self {
        case .accepts(let item, let index, let transfers):
            "\(item) is \(index.map { "enqueued at index \($0)" } ?? "accepted"): "
                + (transfers.isEmpty
                    ? "no file yet"
                    : transfers.map { "\($0.source) to \($0.destination)" }.joined(
                        separator: ", "))
        case .isLimited(let item, let limits): "\(item) is sent \(limits.sentence)"
        case .isPersistent(let item): "\(item) is persistent: paths are added while it runs"
        case .goesBy(let item, let settings): "\(item) \(settings.sentence)"
        case .isUnproven(let transfer, let because):
            "nothing proves that \(transfer) goes on with the same source: "
                + because.rawValue
        case .keepsTarget(let transfer, let because):
            "\(transfer) leaves its target as it is: \(because.rawValue)"
        case .moves(let session, let from, let to, let because):
            "\(session) goes from \(from.rawValue) to \(to.rawValue): \(because)"
        case .found(let item, let stage): "\(item) is \(stage.rawValue), as the store has it"
        case .attempt(let session, let number): "\(session), attempt \(number)"
        case .inspected(let transfer, let size, _): "the source of \(transfer) has \(size)"
        case .resumes(let transfer, let resource, let offset):
            "\(transfer) resumes \(resource) at \(offset)"
        case .startsOver(let transfer, let because): "\(transfer) starts over: \(because)"
        case .sends(let transfer, _, let from, let connection, _):
            "\(transfer) sends from \(from) on \(connection)"
        case .completes(let transfer): "\(transfer) is complete"
        case .givesUp(let transfer, let because): "\(transfer) is given up: \(because)"
        case .waitsForNetwork(let session, let because):
            "\(session) waits for an allowed network: \(because)"
        case .delays(let item, let delay):
            "\(item) waits for \(delay), as it was made in the background"
        case .fails(let session, let code, let message, let pause):
            "\(session) meets error \(code), \(message)"
                + (pause.map { "; tried again in \($0)" } ?? "")
        case .token(let item, let step): "token “\(item)” \(step.words)"
        }
    }
}

/// What becomes of a token.
package enum TokenStep: Hashable, Sendable, Codable {
    /// A request carries it.
    case used
    /// The server will not take it any more.
    case rejected
    case refreshBegan
    /// With a new one, or without.
    case refreshEnded(isNew: Bool)

    var words: String {
        switch self {
        case .used: "is used"
        case .rejected: "is rejected"
        case .refreshBegan: "is being refreshed"
        case .refreshEnded(let isNew): isNew ? "is new" : "could not be refreshed"
        }
    }
}

/// The states of an item, as in its façade's table; the app never sees these names.
package enum ItemStage: String, Hashable, Sendable, Codable, CaseIterable {
    case waiting, running, retrying, paused, preempted
    /// It was paused, and will be again.
    case preemptedPaused = "preempted while paused"
    case cancelled, completed, failed
    /// A task that has not been resumed, or not again.
    case suspended
}

extension ItemStage {
    /// The states that an item leaves only when somebody asks for it.
    package var isTerminal: Bool {
        switch self {
        case .waiting, .running, .retrying, .paused, .preempted, .preemptedPaused, .suspended:
            false
        case .cancelled, .completed, .failed: true
        }
    }
}
