import Quantities
import RunLog

/// The causes for which an upload may begin at byte 0 although the server holds bytes of it (S3),
/// as the log shows them. The engine's own reason proves nothing.
struct StartOverCauses: Sendable {
    private var items: [TransferName: ItemName] = [:]
    private var sources: [TransferName: String] = [:]
    /// The number of changes of each file, touches included.
    private var changes: [String: Int] = [:]
    /// The numbers of changes at the beginning of an item's latest attempt: what is told of an
    /// inspection may be older than the latest edit.
    private var atAttempt: [ItemName: [String: Int]] = [:]
    /// The number of changes of its source from which on a transfer inspected it, and the same for
    /// the first bytes that were sent to a resource.
    private var inspected: [TransferName: Int] = [:]
    private var begun: [ResourceName: Int] = [:]
    /// How each item compares its source, and how it did for the first bytes that were sent to a
    /// resource: what was noted for one policy proves nothing for another.
    private var policies: [ItemName: ResumePolicy] = [:]
    private var begunUnder: [ResourceName: ResumePolicy] = [:]
    /// Sessions whose uploads always begin at byte 0.
    private var neverResumes: Set<ItemName> = []
    private var owners: [ConnectionName: ItemName] = [:]
    /// Connections that ask for the object, not for the upload (A15).
    private var looking: Set<ConnectionName> = []
    /// Connections that ask how much of an upload is there.
    private var askingOffset: Set<ConnectionName> = []
    /// Items that the server has told that it does not know their upload, or that the app runs
    /// again, and that have sent nothing since.
    private var freed: Set<ItemName> = []

    mutating func read(_ event: RunEvent) {
        switch event.fact {
        case .engine(let fact): read(fact)
        case .queue(.pathAdded(let item, let path)):
            items[path.transfer] = item
            sources[path.transfer] = path.source
        case .queue(.asked(let item, .run)): freed.insert(item)
        case .file(.stands(let path, _, _)), .file(.touched(let path)), .file(.removed(let path)):
            changes[path, default: 0] += 1
        case .connection(.opening(let connection, _, let item)): owners[connection] = item
        case .connection(.request(let connection, let method, let target)):
            forget(connection)
            if target.hasPrefix("/dav/") {
                looking.insert(connection)
            } else if method == "HEAD" {
                askingOffset.insert(connection)
            }
        case .connection(.response(let connection, let status, _)):
            guard !looking.contains(connection), let item = owners[connection] else { return }
            // By tus 1.0, 403 may mean the same to who asks for the offset.
            let isUnknown =
                status == 404 || status == 410
                || (status == 403 && askingOffset.contains(connection))
            if isUnknown { freed.insert(item) }
        case .connection(.ended(let connection, _, _)):
            owners[connection] = nil
            forget(connection)
        default: break
        }
    }

    private mutating func forget(_ connection: ConnectionName) {
        looking.remove(connection)
        askingOffset.remove(connection)
    }

    private mutating func read(_ fact: EngineFact) {
        switch fact {
        case .accepts(let item, _, let transfers):
            for transfer in transfers where transfer.isDownload != true {
                items[transfer.transfer] = item
                sources[transfer.transfer] = transfer.source
            }
        case .attempt(let item, _): atAttempt[item] = changes
        case .isPersistent(let item): neverResumes.insert(item)
        case .goesBy(let item, let settings):
            policies[item] = settings.resume
            if settings.resume == .none {
                neverResumes.insert(item)
            } else {
                neverResumes.remove(item)
            }
        case .inspected(let transfer, _, _):
            guard let item = items[transfer], let source = sources[transfer] else { return }
            inspected[transfer] = atAttempt[item]?[source] ?? changes[source]
        case .sends(let transfer, let resource, _, _, _):
            if begun[resource] == nil { begun[resource] = inspected[transfer] }
            guard let item = items[transfer] else { return }
            if begunUnder[resource] == nil { begunUnder[resource] = policies[item] }
            freed.remove(item)
        default: break
        }
    }

    /// Whether the log shows why this upload, which has sent bytes to `resource`, begins anew.
    /// Uploads that are sent whole, and downloads, need no cause.
    func allow(_ transfer: TransferName, toLeave resource: ResourceName) -> Bool {
        guard transfer.facade == .queue || transfer.facade == .bucket,
            let item = items[transfer], let source = sources[transfer]
        else { return true }
        return neverResumes.contains(item) || freed.contains(item)
            || begun[resource] != changes[source] || begunUnder[resource] != policies[item]
    }
}
