import Facts
import Protocols

/// Publications on a condition: the object is looked at before, as another client may have been
/// faster.
extension DocrootServer {
    /// Looks at the object that an upload is about to replace, if it may.
    mutating func look(at upload: Upload, on client: ServerConnectionID) {
        let object = upload.record.object
        let count = versions[object.text, default: 0]
        ask(.look(object), for: .publish(upload.id, after: count), on: client)
    }

    /// Publishes an exclusive upload, unless there is an object: the upload is then given up.
    mutating func publishExclusive(
        _ id: UploadID, over entry: StoredEntry?, after count: UInt64,
        on client: ServerConnectionID
    ) throws(HTTPError) {
        guard let upload = uploads[id] else { return }
        let object = upload.record.object
        if let entry {
            let why = "there is \(entry.tag.field) at “\(object.text)”, and it may not be replaced"
            giveUp(upload, because: why, except: client)
            throw HTTPError(412, why)
        }
        let isOutdated = versions[object.text, default: 0] != count
        let rival = uploads.values.contains {
            $0.id != id && $0.record.object == object && $0.isBeingPublished
        }
        // What was found may be true no longer.
        guard !isOutdated, !rival else { return look(at: upload, on: client) }
        exchanges[client]?.state = .answering(id)
        publish(id)
    }

    /// Ends the publication of an upload whose client has gone before its conditions were checked.
    mutating func abandonPublication(of id: UploadID) {
        guard let upload = uploads[id], upload.isResumable else {
            remove(id)
            return outputs.append(.discard(id))
        }
        if let writer = upload.writer, exchanges[writer] == nil { uploads[id]?.releaseWriter() }
        if let creator = upload.creator, exchanges[creator] == nil { uploads[id]?.creator = nil }
        uploads[id]?.waitingForOffset.removeAll { exchanges[$0] == nil }
        uploads[id]?.abandonPublication()
        // Another client may have come for it meanwhile.
        if uploads[id]?.waitingClient != nil { settle(id) }
    }

    private mutating func giveUp(
        _ upload: Upload, because why: String, except client: ServerConnectionID
    ) {
        let others = ([upload.writer, upload.creator].compactMap(\.self) + upload.waitingForOffset)
            .filter { $0 != client }
        remove(upload.id)
        for other in others {
            exchanges[other]?.state = .discarding
            drop(other)
        }
        note(.discarded(upload.name, why: why))
        outputs.append(.discard(upload.id))
    }
}
