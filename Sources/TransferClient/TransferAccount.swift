public import TransferEngine

/// An account to work on: the host, the credentials and the folder of its sessions (A9).
///
/// It belongs to one thread, like every model object; pass its `id` to other threads (A14). Changes
/// take effect when the account is saved: by hand, or with the first session that is enqueued or
/// saved with it.
public final class TransferAccount {
    public var name: String
    public var host: String
    public var port: UInt16
    /// Names a credential without containing it.
    public var credentials: CredentialHandle
    /// Whether the server has to show a certificate that the host trusts, and all is encrypted.
    public var usesTLS: Bool
    /// The folder below the docroot to which the remote paths of its sessions are relative.
    public var folder: String
    let queue: TransferQueue
    private var knownID: AccountID?
    /// The content at the last save, until the queue has told its identifier.
    private var savedAs: QueueAccount?

    /// Makes a new account, which the store does not know until it is saved.
    public init(
        host: String = "", port: UInt16 = 443, usesTLS: Bool = true,
        credentials: CredentialHandle, name: String = "", folder: String = "",
        in queue: TransferQueue
    ) {
        self.host = host
        self.port = port
        self.usesTLS = usesTLS
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
        usesTLS = record.account.access.usesTLS
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

    /// Saves the account as it is now. The queue's delegate is told when it is durable, or refused.
    public func save() {
        if let id {
            queue.submit(.changeAccount(id, to: content))
        } else {
            queue.submit(.saveAccount(asSaved()))
        }
    }

    /// Discards all changes since the last save.
    public func refresh() {
        guard let id, let kept = queue.accounts.first(where: { $0.id == id })?.account else {
            return
        }
        name = kept.name
        host = kept.access.host
        port = kept.access.port
        usesTLS = kept.access.usesTLS
        credentials = kept.access.credentials
        folder = kept.folder
    }

    /// Deletes the account. Refused while a session refers to it (A10).
    public func delete() {
        if let id { queue.submit(.deleteAccount(id)) }
    }

    /// The account of a session to enqueue or save. An unsaved account is saved with the session.
    var choice: AccountChoice { id.map { .saved($0) } ?? .like(asSaved()) }

    private func asSaved() -> QueueAccount {
        savedAs = content
        return content
    }

    private var content: QueueAccount {
        QueueAccount(
            Account(host: host, port: port, credentials: credentials, usesTLS: usesTLS),
            name: name, folder: folder)
    }
}
