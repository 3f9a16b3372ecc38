package import Quantities

/// The engine's decisions, below what the app is told.
package enum EngineFact: Hashable, Sendable, Codable {
    /// An item was accepted durably; a session has this index in the queue. A launch repeats the
    /// fact for an item that never ran, because the app may have died before it was told.
    case accepts(ItemName, index: Int?, [AcceptedTransfer])
    /// The item does not use every network (B13).
    case isLimited(ItemName, NetworkLimits)
    case isPersistent(ItemName)
    /// The session has settings other than the defaults.
    case goesBy(ItemName, TransferSettings)
    case moves(ItemName, from: ItemStage, to: ItemStage, because: String)
    /// A launch found the item in its store and leaves its stage unchanged.
    case found(ItemName, ItemStage)
    /// An attempt to run the item begins; the first attempt has number 1.
    case attempt(ItemName, number: Int)
    /// The source at the start or before a resume.
    case inspected(TransferName, size: ByteCount, modified: UInt64)
    /// The engine resumes at the offset that the server named.
    case resumes(TransferName, resource: ResourceName, at: ByteCount)
    /// The source may have changed, because the resume policy does not compare everything.
    case isUnproven(TransferName, because: ResumeBlindSpot)
    /// A download asks for something else than a whole object, such as a part.
    case asksForOther(TransferName)
    /// Nothing is transferred, because the target is good already.
    case keepsTarget(TransferName, because: TargetKept)
    /// The engine begins at byte 0 although the server had acknowledged bytes.
    case startsOver(TransferName, because: String)
    /// The engine sends body bytes from this offset on. `bodyAt` is the body's place in the
    /// connection's stream.
    case sends(
        TransferName, resource: ResourceName, from: ByteCount, on: ConnectionName, bodyAt: ByteCount
    )
    /// The server confirmed the last byte.
    case completes(TransferName)
    /// A path of a persistent session failed for good, or a file of a session that goes on with
    /// its others.
    case givesUp(TransferName, because: String)
    /// The item could run, but no allowed network is available.
    case waitsForNetwork(ItemName, because: String)
    /// The task was made in the background, and begins later (B11).
    case delays(ItemName, by: TimeSpan)
    /// The progress of a task, while no app is there to be told.
    case hasMoved(ItemName, done: ByteCount, total: ByteCount)
    /// An attempt failed; the engine retries after a pause if the error and the budget allow.
    case fails(ItemName, code: Int, message: String, retryIn: TimeSpan?)
    case token(ItemName, TokenStep)
    /// A step in the life of a credential, which has this name.
    case credential(String, CredentialStep)
    /// The task could run, but waits for its app to bring a credential.
    case waitsForCredential(ItemName)
    /// The paced transport is not to be had, and its session may go over TCP.
    case fallsBack(ItemName, because: String)

    package static func fails(
        _ item: ItemName, _ error: some PublishedError, retryIn pause: TimeSpan? = nil
    ) -> EngineFact {
        .fails(item, code: error.code, message: error.message, retryIn: pause)
    }

    package static func givesUp(
        _ transfer: TransferName, _ error: some PublishedError
    ) -> EngineFact {
        .givesUp(transfer, because: "\(error.message), error \(error.code)")
    }

    // The names in `events.jsonl`, also of values without a label.
    private enum CodingKeys: CodingKey, CaseIterable {
        case accepts, isLimited, isPersistent, goesBy, moves, found, attempt, inspected, resumes
        case isUnproven, keepsTarget, startsOver, sends, completes, givesUp, waitsForNetwork, delays
        case hasMoved, fails, token, credential, waitsForCredential, asksForOther, fallsBack
    }
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
    private enum CredentialCodingKeys: String, CodingKey { case _0 = "name", _1 = "step" }
    private enum WaitsForCredentialCodingKeys: String, CodingKey { case _0 = "item" }
    private enum CompletesCodingKeys: String, CodingKey { case _0 = "transfer" }
    private enum GivesUpCodingKeys: String, CodingKey { case _0 = "transfer", because }
    private enum WaitsForNetworkCodingKeys: String, CodingKey { case _0 = "item", because }
    private enum DelaysCodingKeys: String, CodingKey { case _0 = "item", by }
    private enum HasMovedCodingKeys: String, CodingKey { case _0 = "item", done, total }
    private enum FallsBackCodingKeys: String, CodingKey { case _0 = "item", because }
    private enum FailsCodingKeys: String, CodingKey { case _0 = "item", code, message, retryIn }

    package var sentence: String {
        switch self {
        case .accepts(let item, let index, let transfers):
            "\(item) is \(index.map { "enqueued at index \($0)" } ?? "accepted"): "
                + transfers.sentence
        case .isLimited(let item, let limits): "\(item) is sent \(limits.sentence)"
        case .isPersistent(let item): "\(item) is persistent: paths are added while it runs"
        case .goesBy(let item, let settings): "\(item) \(settings.sentence)"
        case .isUnproven(let transfer, let because):
            "nothing proves that \(transfer) goes on with the same source: \(because.rawValue)"
        case .asksForOther(let transfer):
            "\(transfer) asks for something else than a whole object"
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
        case .fallsBack(let item, let because): "\(item) falls back to TCP: \(because)"
        case .hasMoved(let item, let done, let total): "\(item) has moved \(done) of \(total)"
        case .fails(let session, let code, let message, let pause):
            "\(session) meets error \(code), \(message)"
                + (pause.map { "; tried again in \($0)" } ?? "")
        case .token(let item, let step): "token “\(item)” \(step.words)"
        case .credential(let name, let step): "credential “\(name)” \(step.words)"
        case .waitsForCredential(let item): "\(item) waits for a credential"
        }
    }
}

/// A step in the life of a token.
package enum TokenStep: Hashable, Sendable, Codable {
    case used
    case rejected
    case refreshBegan
    case refreshEnded(isNew: Bool)

    private enum CodingKeys: CodingKey, CaseIterable {
        case used, rejected, refreshBegan, refreshEnded
    }

    var words: String {
        switch self {
        case .used: "is used"
        case .rejected: "is rejected"
        case .refreshBegan: "is being refreshed"
        case .refreshEnded(let isNew): isNew ? "is new" : "could not be refreshed"
        }
    }
}

/// A step in the life of a credential. Versions are counted by its host.
package enum CredentialStep: Hashable, Sendable, Codable {
    /// The host has told of the credential: at a launch, or because the app has given another.
    case known(version: UInt32)
    case rejected(version: UInt32)
    case renewing
    case renewed(version: UInt32)
    case notRenewed

    private enum CodingKeys: CodingKey, CaseIterable {
        case known, rejected, renewing, renewed, notRenewed
    }

    var words: String {
        switch self {
        case .known(let version): "is known in version \(version)"
        case .rejected(let version): "is rejected in version \(version)"
        case .renewing: "is being renewed"
        case .renewed(let version): "is renewed as version \(version)"
        case .notRenewed: "could not be renewed"
        }
    }
}

/// The states of an item in its façade's table; the app never sees these names.
package enum ItemStage: String, Hashable, Sendable, Codable, CaseIterable {
    case waiting, running, retrying, paused, preempted
    /// Preempted, and paused again afterwards.
    case preemptedPaused = "preempted while paused"
    case cancelled, completed, failed
    /// A task that the app has not resumed, or has suspended again.
    case suspended

    /// Whether an item leaves the state only at the app's request.
    package var isTerminal: Bool {
        switch self {
        case .waiting, .running, .retrying, .paused, .preempted, .preemptedPaused, .suspended:
            false
        case .cancelled, .completed, .failed: true
        }
    }
}
