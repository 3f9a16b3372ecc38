public import TransferEngine

/// A session before it is enqueued: its account, its direction and its files (A18).
///
/// It belongs to one thread, like every model object; pass its `id` to other threads (A14). Unless
/// it is saved or enqueued, it ends with the process (A9).
public final class TransferSession {
    public let isUpload: Bool
    /// Whether the session is enqueued without files, and keeps its connection open for paths that
    /// are added later (P1).
    public var isPersistent = false
    public var limits: NetworkLimits = []
    public var settings = TransferSettings()
    /// An upload's destinations and a download's sources are relative to the account's folder.
    public var paths: [SessionRequest.File] = []
    private var account: () -> AccountChoice
    private let queue: TransferQueue
    private let draft: DraftID
    private var knownID: SessionID?

    /// Makes a new session: an upload, or a download if `upload` is false.
    public init(with account: TransferAccount, upload: Bool) {
        queue = account.queue
        draft = queue.nextDraft()
        isUpload = upload
        self.account = { account.choice }
    }

    init(_ record: SessionRecord, in queue: TransferQueue) {
        self.queue = queue
        draft = queue.nextDraft()
        knownID = record.id
        isUpload = !record.isDownload
        account = { .like(QueueAccount(record.account)) }
        take(record)
    }

    /// `nil` until the store has it.
    public var id: SessionID? {
        if knownID == nil { knownID = queue.session(of: draft) }
        return knownID
    }

    /// Adds a file of the app and its destination. For a download, adds an object and the file to
    /// write.
    public func addPath(_ source: String, to destination: String) {
        paths.append(SessionRequest.File(source: source, destination: destination))
    }

    /// Adds a path to this persistent session, which must be able to accept paths (P2).
    public func addPathToPersistentSession(from source: String, to destination: String) {
        guard let id else { return queue.submit(.refuse(.path(.notYetEnqueued))) }
        let path = SessionRequest.File(source: source, destination: destination)
        queue.submit(.addPath(isUpload ? path.from(container) : path.to(container), to: id))
    }

    /// Saves the session as it is now, without enqueuing it, so that it outlives the process (A9).
    public func save() {
        queue.submit(id.map { .edit($0, request) } ?? .save(request))
    }

    /// Discards all changes since the last save.
    public func refresh() {
        guard let id, let kept = queue.savedSessions.first(where: { $0.id == id }) else { return }
        take(kept)
    }

    /// Deletes the session, enqueued or only saved. Refused while it is active (A10).
    public func delete() {
        if let id { queue.submit(.deleteSession(id)) }
    }

    /// Enqueues the session last, or before the session at this index.
    func enqueue(at index: Int?) {
        if let id {
            if hasChanges { queue.submit(.edit(id, request)) }
            queue.submit(.enqueueSaved(id, at: index))
        } else {
            queue.submit(index.map { .insert(request, at: $0) } ?? .enqueue(request))
        }
    }

    /// Whether a saved session differs from what the store holds.
    private var hasChanges: Bool {
        guard let id, let kept = queue.savedSessions.first(where: { $0.id == id }) else {
            return false
        }
        let known = TransferSession(kept, in: queue)
        return (known.paths, known.limits) != (paths, limits) || known.settings != settings
            || known.isPersistent != isPersistent || known.account() != account()
    }

    private func take(_ record: SessionRecord) {
        isPersistent = record.isPersistent
        limits = record.limits
        settings = record.settings
        paths = record.transfers.map {
            SessionRequest.File(source: $0.source, destination: $0.destination)
        }
        if let account = record.accountID { self.account = { .saved(account) } }
    }

    private var container: String { queue.container }

    private var request: SessionRequest {
        var request = SessionRequest(
            of: account(), paths.map { isUpload ? $0.from(container) : $0.to(container) },
            isDownload: !isUpload, limits: limits,
            isPersistent: isPersistent, settings: settings)
        request.draft = draft
        return request
    }
}

/// A stored path must not name the container, which may move between launches (S7): an absolute
/// path that lies in it becomes a relative one.
extension SessionRequest.File {
    /// The same file, to upload from this container.
    func from(_ container: String) -> Self {
        Self(source: source.relative(to: container) ?? source, destination: destination)
    }

    /// The same file, to download into this container.
    func to(_ container: String) -> Self {
        Self(source: source, destination: destination.relative(to: container) ?? destination)
    }

    /// The same file, whichever of its paths lies in this container.
    func fromOrTo(_ container: String) -> Self {
        source.relative(to: container) == nil ? to(container) : from(container)
    }
}

extension String {
    fileprivate func relative(to container: String) -> String? {
        let folder = container + "/"
        return hasPrefix(folder) ? String(dropFirst(folder.count)) : nil
    }
}
