import Content
import Facts
import Protocols
import Quantities

/// Uploads: staging, offsets and publications, common to all front ends.
extension DocrootServer {
    // MARK: From a client's request

    /// Makes an upload. A resumable one is promised once its record is kept.
    mutating func makeUpload(
        of object: ObjectPath, length: ByteCount?, isResumable: Bool,
        on connection: ServerConnectionID, into outputs: inout [ServerOutput]
    ) throws(HTTPError) -> UploadID {
        try checkLength(length ?? .zero)
        try checkQuota(adding: length ?? .zero, on: connection)
        let key = isResumable ? nil : exchanges[connection]?.head?.fields[Self.keyField]
        lastUpload += 1
        let id = UploadID(lastUpload)
        var expires: UInt64?
        if isResumable || key != nil, let lifetime = settings.uploadLifetime {
            expires = settings.wallClock(at: now + lifetime)
            nextExpiry = min(nextExpiry ?? .end, now + lifetime)
        }
        var record = UploadRecord(
            id: id, frontEnd: exchanges[connection]?.frontEnd ?? .dav, object: object,
            length: length, expires: expires)
        record.key = key
        var upload = Upload(record, isResumable: isResumable)
        if !isResumable, length == nil { upload.room = room(on: connection) }
        uploads[id] = upload
        if let key {
            keyed[Self.scope(key, of: object)] = id
            outputs.append(.keep(record))
        }
        if isResumable {
            outputs.append(
                .note(
                    .created(
                        ResourceName(record.resource), object: object.text, length: length)))
            outputs.append(.keep(record))
        }
        return id
    }

    /// Returns the upload with this resource, if it belongs to this front end.
    func upload(
        at resource: String, of frontEnd: FrontEnd, on id: ServerConnectionID
    ) throws(HTTPError) -> Upload {
        let prefix = frontEnd.resources + "/"
        guard resource.hasPrefix(prefix), let number = UInt64(resource.dropFirst(prefix.count)),
            let upload = uploads[UploadID(number)], upload.record.frontEnd == frontEnd,
            upload.isResumable, root(of: id).holds(upload.record.object)
        else { throw HTTPError(404, "there is no upload at \(resource)") }
        return upload
    }

    /// Keeps the length of an upload. Told once, it never changes, and is known after a restart.
    mutating func announce(
        _ total: ByteCount, of id: UploadID, into outputs: inout [ServerOutput]
    ) {
        guard let record = uploads[id]?.announce(total) ?? nil else { return }
        outputs.append(.keep(record))
    }

    /// Waits with the answer until the upload is kept, and published if it is complete.
    mutating func awaitCreation(of id: UploadID, on creator: ServerConnectionID) {
        uploads[id]?.awaitCreation(by: creator)
        exchanges[creator]?.state = .answering(id)
    }

    /// Tells a client the offset. The client has given up what it did before: an earlier append
    /// ends, so that the offset stays true (S6).
    mutating func tellOffset(
        of upload: UploadID, on id: ServerConnectionID, into outputs: inout [ServerOutput]
    ) {
        endEarlierWriter(of: upload, into: &outputs)
        uploads[upload]?.awaitOffset(by: id)
        exchanges[id]?.state = .answering(upload)
        settle(upload, into: &outputs)
    }

    mutating func beginAppend(
        to id: UploadID, at offset: ByteCount, _ length: ByteCount,
        on connection: ServerConnectionID, into outputs: inout [ServerOutput]
    ) throws(HTTPError) {
        guard let upload = uploads[id] else { return }
        guard upload.stage == .open else {
            throw HTTPError(403, "\(upload.resource) is complete: nothing can be added to it")
        }
        guard offset == upload.handedOver else {
            throw HTTPError(
                409,
                "\(upload.resource) has \(upload.handedOver.bytes) bytes, not \(offset.bytes)",
                fields: [("Upload-Offset", "\(upload.handedOver.bytes)")])
        }
        if let total = upload.record.length, length > total - offset {
            throw HTTPError(413, "more than the \(total.bytes) bytes that were announced")
        }
        try checkLength(offset + length)
        if upload.record.length == nil { try checkQuota(adding: length, on: connection) }
        // Only now: late bytes of an abandoned connection must not end its successor.
        endEarlierWriter(of: id, into: &outputs)
        outputs.append(
            .note(
                .appendBegan(ResourceName(upload.resource), at: offset, staged: upload.handedOver)))
        startWriting(id, on: connection, into: &outputs)
    }

    mutating func startWriting(
        _ id: UploadID, on connection: ServerConnectionID, into outputs: inout [ServerOutput]
    ) {
        uploads[id]?.beginWriting(by: connection)
        exchanges[connection]?.state = .appending(id)
        invite(connection, into: &outputs)
    }

    mutating func append(
        _ segments: [Segment], to id: UploadID, into outputs: inout [ServerOutput]
    ) {
        if !faults.isEmpty, let writer = uploads[id]?.writer {
            return spoilBody(segments, of: id, from: writer, into: &outputs)
        }
        handOver(segments, to: id, into: &outputs)
    }

    mutating func handOver(
        _ segments: [Segment], to id: UploadID, into outputs: inout [ServerOutput]
    ) {
        guard let piece = uploads.change(id, { $0.handOver(segments) }) else { return }
        if let room = piece.exceeds {
            return storeFailed(
                id, StoreFailure(.noSpace, "there is room for \(room) alone"), into: &outputs)
        }
        outputs.append(
            piece.isProvisional
                ? .stageProvisionally(id, at: piece.offset, segments)
                : .stage(id, at: piece.offset, segments))
    }

    mutating func endAppend(
        of id: UploadID, on connection: ServerConnectionID, into outputs: inout [ServerOutput]
    ) {
        exchanges[connection]?.state = .answering(id)
        if let upload = uploads[id], upload.checksum?.holds() == false {
            uploads[id]?.releaseWriter()
            takeBack(upload, into: &outputs)
            return refuse(
                HTTPError(460, "the bytes do not have the checksum that was announced"),
                on: connection, into: &outputs)
        }
        if uploads[id]?.provisionalFrom != nil { outputs.append(.count(id)) }
        uploads[id]?.endWriting()
        settle(id, into: &outputs)
    }

    /// Drops the bytes of an incomplete request that counts as a whole or not at all.
    private mutating func takeBack(_ upload: Upload, into outputs: inout [ServerOutput]) {
        guard let offset = upload.provisionalFrom else { return }
        uploads[upload.id]?.takeBack(to: offset)
        outputs.append(.truncate(upload.id, to: offset))
    }

    /// Cancels an upload on its client's request, unless it is being published.
    mutating func cancel(
        _ upload: Upload, because why: String, into outputs: inout [ServerOutput]
    ) throws(HTTPError) {
        guard upload.stage != .publishing else {
            throw HTTPError(
                409, "\(upload.resource) is being published", fields: [("Retry-After", "1")])
        }
        terminate(upload.id, because: why, into: &outputs)
    }

    mutating func terminate(
        _ id: UploadID, because why: String, into outputs: inout [ServerOutput]
    ) {
        endEarlierWriter(of: id, into: &outputs)
        guard let upload = remove(id) else { return }
        for connection in upload.waitingForOffset {
            exchanges[connection]?.state = .discarding
            drop(connection, into: &outputs)
        }
        outputs.append(.note(.discarded(ResourceName(upload.resource), why: why)))
        outputs.append(.discard(id))
    }

    @discardableResult
    mutating func remove(_ id: UploadID) -> Upload? {
        guard let upload = uploads.removeValue(forKey: id) else { return nil }
        if let key = upload.record.key {
            let scope = Self.scope(key, of: upload.record.object)
            if keyed[scope] == id { keyed[scope] = nil }
        }
        return upload
    }

    mutating func endEarlierWriter(
        of id: UploadID, into outputs: inout [ServerOutput]
    ) {
        guard let writer = uploads[id]?.writer else { return }
        drop(writer, into: &outputs)
    }

    mutating func releaseWriter(of id: UploadID, into outputs: inout [ServerOutput]) {
        guard let upload = uploads[id] else { return }
        uploads[id]?.releaseWriter()
        guard upload.isResumable else {
            remove(id)
            return outputs.append(.discard(id))
        }
        takeBack(upload, into: &outputs)
        let staged = min(upload.handedOver, upload.provisionalFrom ?? upload.handedOver)
        outputs.append(
            .note(.appendEnded(ResourceName(upload.resource), staged: staged, complete: false)))
    }

    /// Forgets a client that waits for an offset. Its uploads go on.
    mutating func forget(
        _ connection: ServerConnectionID, in id: UploadID, into outputs: inout [ServerOutput]
    ) {
        uploads[id]?.forgetOffset(for: connection)
    }

    // MARK: The store's answers

    mutating func kept(_ id: UploadID, into outputs: inout [ServerOutput]) {
        guard let upload = uploads[id], !upload.isKept else { return }
        uploads[id]?.wasKept()
        if upload.record.frontEnd == .resumable, let writer = upload.writer {
            promiseResumption(of: upload, to: writer, into: &outputs)
        }
        if upload.creator != nil, !upload.isWhole {
            answerCreation(id, into: &outputs)
        } else {
            settle(id, into: &outputs)
        }
    }

    mutating func staged(
        _ id: UploadID, _ total: ByteCount, into outputs: inout [ServerOutput]
    ) {
        if uploads.change(id, { $0.confirm(total) }) == true { settle(id, into: &outputs) }
    }

    /// Publishes a whole upload and answers its clients, once all bytes are durable.
    ///
    /// A client takes the final offset as proof that the object exists. So an upload that was
    /// complete but not published is published before its offset is told.
    private mutating func settle(_ id: UploadID, into outputs: inout [ServerOutput]) {
        guard let upload = uploads[id], upload.staged == upload.handedOver, upload.isKept else {
            return
        }
        if upload.owesWriter, upload.isResumable {
            outputs.append(
                .note(
                    .appendEnded(
                        ResourceName(upload.resource), staged: upload.staged,
                        complete: upload.isWhole)))
        }
        if upload.isWhole, upload.stage == .open {
            guard upload.conditions != nil, let writer = upload.writer else {
                return publish(id, into: &outputs)
            }
            uploads[id]?.beginPublication()
            return ask(
                .look(upload.record.object), for: .publish(id), on: writer, into: &outputs)
        }
        answerOffsets(of: id, into: &outputs)
        if upload.owesWriter { answerAppend(id, into: &outputs) }
    }

    mutating func publish(_ id: UploadID, into outputs: inout [ServerOutput]) {
        guard let upload = uploads[id] else { return }
        uploads[id]?.beginPublication()
        outputs.append(.publish(id, object: upload.record.object))
    }

    mutating func published(
        _ id: UploadID, _ body: PublishedBody, into outputs: inout [ServerOutput]
    ) {
        guard let upload = uploads[id] else { return }
        let object = upload.record.object
        let version = versions[object.text, default: 0] + 1
        versions[object.text] = version
        uploads[id]?.wasPublished(as: body.version)
        outputs.append(
            .note(
                .published(
                    ResourceName(upload.resource), object: object.text, version: version,
                    body.content)))
        endReaders(ofReplaced: object, into: &outputs)
        for account in settings.accounts where account.docroot.holds(object) {
            guard let known = usage[account.name] else { continue }
            let sum = known + upload.staged
            usage[account.name] = sum - min(sum, body.replaced)
        }
        if upload.creator != nil { answerCreation(id, into: &outputs) }
        answerAppend(id, into: &outputs)
        answerOffsets(of: id, into: &outputs)
        if !upload.isResumable, upload.record.key == nil { remove(id) }
    }

    mutating func storeFailed(
        _ id: UploadID, _ failure: StoreFailure, into outputs: inout [ServerOutput]
    ) {
        guard let upload = uploads[id] else { return }
        if upload.writer != nil, upload.isResumable, upload.stage == .open {
            outputs.append(
                .note(
                    .appendEnded(
                        ResourceName(upload.resource), staged: upload.staged, complete: false)))
        }
        if upload.provisionalFrom != nil {
            takeBack(upload, into: &outputs)
        } else if upload.handedOver > upload.staged {
            // The store may have a part of them, which must not precede what comes next.
            outputs.append(.truncate(id, to: upload.staged))
        }
        uploads[id]?.fail()
        let owed = [upload.writer, upload.creator].compactMap { $0 } + upload.waitingForOffset
        for connection in owed {
            let isStillSending = exchanges[connection]?.bodyIsOver == false
            refuse(HTTPError(failure.status, failure.reason), on: connection, into: &outputs)
            // The rest of its body has nowhere to go.
            if isStillSending, exchanges[connection] != nil { drop(connection, into: &outputs) }
        }
        // Without a record nobody was told of the upload, and nobody could be answered.
        if !upload.isResumable || !upload.isKept {
            remove(id)
            outputs.append(.discard(id))
        }
    }

    // MARK: Answers

    private mutating func answerCreation(_ id: UploadID, into outputs: inout [ServerOutput]) {
        guard let upload = uploads[id], let creator = upload.creator else { return }
        uploads[id]?.forgetCreator()
        outputs.append(.note(.acknowledged(ResourceName(upload.resource), offset: .zero)))
        respond(answer(to: .creation, of: upload, on: creator), on: creator, into: &outputs)
    }

    private mutating func answerAppend(_ id: UploadID, into outputs: inout [ServerOutput]) {
        guard let upload = uploads[id], let writer = upload.writer else { return }
        uploads[id]?.releaseWriter()
        if upload.isResumable {
            outputs.append(
                .note(.acknowledged(ResourceName(upload.resource), offset: upload.staged)))
        }
        respond(answer(to: .append, of: upload, on: writer), on: writer, into: &outputs)
    }

    private mutating func answerOffsets(of id: UploadID, into outputs: inout [ServerOutput]) {
        guard let upload = uploads[id], upload.isSettled else { return }
        uploads[id]?.forgetOffsets()
        for connection in upload.waitingForOffset where exchanges[connection] != nil {
            outputs.append(
                .note(.acknowledged(ResourceName(upload.resource), offset: upload.staged)))
            let answer = answer(to: .offset, of: upload, on: connection)
            respond(answer, on: connection, into: &outputs)
        }
    }

    /// The request for which a client of an upload is answered.
    enum UploadQuestion: Hashable { case creation, append, offset }

    private func answer(
        to question: UploadQuestion, of upload: Upload, on id: ServerConnectionID
    ) -> Answer {
        guard let head = exchanges[id]?.head else { return Answer(500) }
        return switch upload.record.frontEnd {
        case .dav, .once: Self.putAnswer(of: upload)
        case .tus: tusAnswer(to: question, of: upload, for: head)
        case .resumable: resumableAnswer(to: question, of: upload, for: head)
        case .kii: kiiAnswer(to: question, of: upload, for: head)
        }
    }
}
