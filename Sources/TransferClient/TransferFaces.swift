public import TransferEngine

/// The four interfaces through which one app process can transfer files, over one host.
public struct TransferFaces: Sendable {
    public let queue: TransferQueue
    public let operations: UploadOperations
    public let resumable: ResumableTransfers
    public let background: BackgroundSessions

    private let host: any CommandDoor

    public init(host: any CommandDoor) {
        self.host = host
        queue = TransferQueue(host: host)
        operations = UploadOperations(host: host)
        resumable = ResumableTransfers(host: host)
        background = BackgroundSessions(host: host)
    }

    /// Keeps a secret for all interfaces, in the place of an earlier one: the app has signed in.
    public func keep(_ secret: Secret, as handle: CredentialHandle) {
        host.keep(secret, as: handle)
    }

    /// Called by the host, on its queue, when it carries out nothing more.
    public func hostHasEnded() {
        queue.hostHasEnded()
        operations.hostHasEnded()
        resumable.hostHasEnded()
    }

    /// Passes a piece of news to its interface. Called by the host, on its queue.
    public func deliver(_ news: News) {
        switch news {
        case .queueHolds(let sessions): queue.deliver(sessions)
        case .sessionStands(let standing): queue.deliver(standing)
        case .answered(let request, let answer): queue.deliver(answer, to: request)
        case .queueMode(let mode): queue.deliver(mode)
        case .saved(let news): queue.deliver(news)
        case .session(let session, let callback): queue.deliver(callback, for: session)
        case .storeWasSetAside(let setAside): queue.deliver(setAside)
        case .operation(let operation, let news): operations.deliver(news, of: operation)
        case .entriesHeld(let records): resumable.deliver(records)
        case .entry(let entry, let news): resumable.deliver(news, of: entry)
        case .background(let callback): background.deliver(callback)
        case .refused(.queue(let refusal)): queue.deliver(refusal)
        case .refused(.operation(let refusal)): operations.deliver(refusal)
        case .refused(.entry(let refusal)): resumable.deliver(refusal)
        case .refused(.task(let refusal)): background.deliver(refusal)
        }
    }
}
