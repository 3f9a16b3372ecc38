public import TransferEngine

/// An account as an app works on it: where sessions go to, as whom, and in which folder (A9).
///
/// It belongs to one thread, like every model object: to another one its `id` is passed (A14).
/// What is set here counts when it is saved, by hand or with the first session that is enqueued or
/// saved with it.
public final class TransferAccount {
    public var name: String
    public var host: String
    public var port: UInt16
    /// Names a credential without holding it.
    public var credentials: CredentialHandle
    /// Below the docroot, for the remote paths of its sessions.
    public var folder: String
    let queue: TransferQueue
    private var knownID: AccountID?
    /// What it was saved as, until the queue has said which one it is.
    private var savedAs: QueueAccount?

    /// A new one, which nobody knows until it is saved.
    public init(
        host: String = "", port: UInt16 = 443, credentials: CredentialHandle, name: String = "",
        folder: String = "", in queue: TransferQueue
    ) {
        self.host = host
        self.port = port
        self.credentials = credentials
        self.name = name
        self.folder = folder
        self.queue = queue
    }

    init(_ record: AccountRecord, in queue: TransferQueue) {
        knownID = record.id
        self.queue = queue
        name = record.account.name
        host = record.account.access.host
        port = record.account.access.port
        credentials = record.account.access.credentials
        folder = record.account.folder
    }

    /// `nil` until the store has it.
    public var id: AccountID? {
        if knownID == nil, let savedAs {
            knownID = queue.accounts.first { $0.account == savedAs }?.id
        }
        return knownID
    }

    /// Makes it durable as it is now. The queue tells its delegate when it is, or refuses.
    public func save() {
        if let id {
            queue.submit(.changeAccount(id, to: content))
        } else {
            queue.submit(.saveAccount(asSaved()))
        }
    }

    /// As it is kept: what has not been saved is discarded.
    public func refresh() {
        guard let id, let kept = queue.accounts.first(where: { $0.id == id })?.account else {
            return
        }
        name = kept.name
        host = kept.access.host
        port = kept.access.port
        credentials = kept.access.credentials
        folder = kept.folder
    }

    /// Refused as long as a session refers to it (A10).
    public func delete() {
        if let id { queue.submit(.deleteAccount(id)) }
    }

    /// For a session: one that is not kept yet is saved with it.
    var choice: AccountChoice { id.map { .saved($0) } ?? .like(asSaved()) }

    private func asSaved() -> QueueAccount {
        savedAs = content
        return content
    }

    private var content: QueueAccount {
        QueueAccount(
            Account(host: host, port: port, credentials: credentials), name: name, folder: folder)
    }
}
