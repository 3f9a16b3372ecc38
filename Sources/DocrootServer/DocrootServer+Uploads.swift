import Content
import Facts
import Protocols
import Quantities

/// Uploads: staging, offsets and publications, common to all front ends.
extension DocrootServer {
    // MARK: From a client's request

    /// Makes an upload. A resumable one is promised once its record is kept.
    mutating func makeUpload(
        of object: ObjectPath, length: ByteCount?, isResumable: Bool, isExclusive: Bool = false,
        on connection: ServerConnectionID
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
        let record = UploadRecord(
            id: id, frontEnd: exchanges[connection]?.frontEnd ?? .dav, object: object,
            length: length, expires: expires, key: key, isExclusive: isExclusive)
        var upload = Upload(record, isResumable: isResumable)
        if !isResumable, length == nil { upload.room = settings.bodyLimit }
        uploads[id] = upload
        if let key { keyed[Self.scope(key, of: object)] = id }
        if isResumable { note(.created(record.name, object: object.text, length: length)) }
        if isResumable || key != nil { outputs.append(.keep(record)) }
        return id
    }

    /// Begins an upload that cannot be resumed: all of it in one request, or none.
    @discardableResult
    mutating func beginWhole(
        _ object: ObjectPath, of head: HTTPRequestHead, on connection: ServerConnectionID
    ) throws(HTTPError) -> UploadID {
        let upload = try makeUpload(
            of: object, length: head.bodyLength, isResumable: false, on: connection)
        startWriting(upload, on: connection)
        return upload
    }

    /// Returns the upload with this resource, if it belongs to the front end of the request.
    func upload(at resource: String, on id: ServerConnectionID) throws(HTTPError) -> Upload {
        let frontEnd = exchanges[id]?.frontEnd
        let prefix = frontEnd.map { $0.resources + "/" } ?? ""
        guard resource.hasPrefix(prefix), let number = UInt64(resource.dropFirst(prefix.count)),
            let upload = uploads[UploadID(number)], upload.record.frontEnd == frontEnd,
            upload.isResumable, root(of: id).holds(upload.record.object)
        else { throw HTTPError(404, "there is no upload at \(resource)") }
        return upload
    }

    /// Keeps the length of an upload. Told once, it never changes, and is known after a restart.
    mutating func announce(_ total: ByteCount, of id: UploadID) {
        guard let record = uploads[id]?.announce(total) ?? nil else { return }
        outputs.append(.keep(record))
    }

    /// Waits with the answer until the upload is kept, and published if it is complete.
    mutating func awaitCreation(of id: UploadID, on creator: ServerConnectionID) {
        uploads[id]?.creator = creator
        exchanges[creator]?.state = .answering(id)
    }

    /// Tells a client the offset. The client has given up what it did before: an earlier append
    /// ends, so that the offset stays true (S6).
    mutating func tellOffset(of upload: UploadID, on id: ServerConnectionID) {
        endEarlierWriter(of: upload)
        uploads[upload]?.waitingForOffset.append(id)
        exchanges[id]?.state = .answering(upload)
        settle(upload)
    }

    mutating func beginAppend(
        to id: UploadID, at offset: ByteCount, _ length: ByteCount,
        on connection: ServerConnectionID
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
        endEarlierWriter(of: id)
        if uploads[id]?.owesWriter == true {
            // The earlier writer went before its bytes were durable; they are still on their way.
            note(.appendEnded(upload.name, staged: upload.staged, complete: false))
        }
        note(.appendBegan(upload.name, at: offset, staged: upload.handedOver))
        startWriting(id, on: connection)
    }

    mutating func startWriting(_ id: UploadID, on connection: ServerConnectionID) {
        uploads[id]?.beginWriting(by: connection)
        exchanges[connection]?.state = .appending(id)
        invite(connection)
    }

    mutating func append(_ segments: [Segment], to id: UploadID) {
        if !faults.isEmpty, let writer = uploads[id]?.writer {
            return spoilBody(segments, of: id, from: writer)
        }
        handOver(segments, to: id)
    }

    mutating func handOver(_ segments: [Segment], to id: UploadID) {
        guard let piece = uploads.change(id, { $0.handOver(segments) }) else { return }
        if let room = piece.exceeds {
            return storeFailed(id, StoreFailure(.noSpace, "there is room for \(room) alone"))
        }
        if let why = uploads[id].flatMap({ overdraft(of: $0) }) {
            return storeFailed(id, StoreFailure(.noSpace, why))
        }
        outputs.append(
            piece.isProvisional
                ? .stageProvisionally(id, at: piece.offset, segments)
                : .stage(id, at: piece.offset, segments))
    }

    mutating func endAppend(of id: UploadID, on connection: ServerConnectionID) {
        exchanges[connection]?.state = .answering(id)
        if uploads[id]?.checksum?.holds() == false {
            releaseWriter(of: id)
            return refuse(
                HTTPError(460, "the bytes do not have the checksum that was announced"),
                on: connection)
        }
        if uploads[id]?.provisionalFrom != nil { outputs.append(.count(id)) }
        uploads[id]?.endWriting()
        settle(id)
    }

    /// Drops the bytes of an incomplete request that counts as a whole or not at all.
    private mutating func takeBack(_ upload: Upload) {
        guard let offset = upload.provisionalFrom else { return }
        uploads[upload.id]?.takeBack(to: offset)
        outputs.append(.truncate(upload.id, to: offset))
    }

    /// Cancels an upload on its client's request, unless it is being published.
    mutating func cancel(_ upload: Upload, because why: String) throws(HTTPError) {
        guard upload.stage != .publishing else {
            throw HTTPError(
                409, "\(upload.resource) is being published", fields: [("Retry-After", "1")])
        }
        terminate(upload.id, because: why)
    }

    mutating func terminate(_ id: UploadID, because why: String) {
        endEarlierWriter(of: id)
        guard let upload = remove(id) else { return }
        for connection in upload.waitingForOffset {
            exchanges[connection]?.state = .discarding
            drop(connection)
        }
        note(.discarded(upload.name, why: why))
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

    mutating func endEarlierWriter(of id: UploadID) {
        guard let writer = uploads[id]?.writer else { return }
        drop(writer)
    }

    mutating func releaseWriter(of id: UploadID) {
        guard let upload = uploads[id] else { return }
        uploads[id]?.releaseWriter()
        guard upload.isResumable else {
            remove(id)
            return outputs.append(.discard(id))
        }
        takeBack(upload)
        let staged = min(upload.handedOver, upload.provisionalFrom ?? upload.handedOver)
        note(.appendEnded(upload.name, staged: staged, complete: false))
    }

    // MARK: The store's answers

    mutating func kept(_ id: UploadID) {
        guard let upload = uploads[id], !upload.isKept else { return }
        uploads[id]?.isKept = true
        if upload.record.frontEnd == .resumable, let writer = upload.writer {
            promiseResumption(of: upload, to: writer)
        }
        if upload.creator != nil, !upload.isWhole {
            answerCreation(id)
        } else {
            settle(id)
        }
    }

    mutating func staged(_ id: UploadID, _ total: ByteCount) {
        if uploads.change(id, { $0.confirm(total) }) == true { settle(id) }
    }

    /// Publishes a whole upload and answers its clients, once all bytes are durable.
    ///
    /// A client takes the final offset as proof that the object exists. So an upload that was
    /// complete but not published is published before its offset is told.
    mutating func settle(_ id: UploadID) {
        guard let upload = uploads[id], upload.staged == upload.handedOver, upload.isKept else {
            return
        }
        if upload.owesWriter, upload.isResumable {
            note(.appendEnded(upload.name, staged: upload.staged, complete: upload.isWhole))
        }
        if upload.isWhole, upload.stage == .open {
            let isConditional = upload.conditions != nil || upload.record.isExclusive
            guard isConditional else { return publish(id) }
            // It is published once a client comes for it.
            guard let client = upload.waitingClient else { return }
            uploads[id]?.beginPublication()
            return look(at: upload, on: client)
        }
        answerOffsets(of: id)
        if upload.owesWriter { answerAppend(id) }
    }

    mutating func publish(_ id: UploadID) {
        guard let upload = uploads[id] else { return }
        uploads[id]?.beginPublication()
        uploads[id]?.isBeingPublished = true
        outputs.append(.publish(id, object: upload.record.object))
    }

    mutating func published(_ id: UploadID, _ body: PublishedBody) {
        guard let upload = uploads[id] else { return }
        let object = upload.record.object
        let version = versions[object.text, default: 0] + 1
        versions[object.text] = version
        uploads[id]?.wasPublished(as: body.version)
        note(.published(upload.name, object: object.text, version: version, body.content))
        endReaders(ofReplaced: object)
        count(upload, replacing: body.replaced)
        if upload.creator != nil { answerCreation(id) }
        answerAppend(id)
        answerOffsets(of: id)
        guard !upload.isResumable else { return }
        // A repeated request is answered as this one was, also by the next server.
        if upload.record.key == nil {
            remove(id)
        } else if let record = uploads[id]?.record {
            outputs.append(.keep(record))
        }
    }

    mutating func storeFailed(_ id: UploadID, _ failure: StoreFailure) {
        // What was published stays so, even if its last record cannot be kept.
        guard let upload = uploads[id], upload.stage != .published else { return }
        if upload.writer != nil, upload.isResumable, upload.stage == .open {
            note(.appendEnded(upload.name, staged: upload.staged, complete: false))
        }
        if upload.provisionalFrom != nil {
            takeBack(upload)
        } else if upload.handedOver > upload.staged {
            // The store may have a part of them, which must not precede what comes next.
            outputs.append(.truncate(id, to: upload.staged))
        }
        uploads[id]?.fail()
        let owed = [upload.writer, upload.creator].compactMap { $0 } + upload.waitingForOffset
        for connection in owed {
            let isStillSending = exchanges[connection]?.bodyIsOver == false
            refuse(HTTPError(failure.status, failure.reason), on: connection)
            // The rest of its body has nowhere to go.
            if isStillSending, exchanges[connection] != nil { drop(connection) }
        }
        // Without a record nobody was told of the upload, and nobody could be answered.
        if !upload.isResumable || !upload.isKept {
            remove(id)
            outputs.append(.discard(id))
        }
    }

    // MARK: Answers

    private mutating func answerCreation(_ id: UploadID) {
        guard let upload = uploads[id], let creator = upload.creator else { return }
        uploads[id]?.creator = nil
        note(.acknowledged(upload.name, offset: .zero))
        respond(answer(to: .creation, of: upload, on: creator), on: creator)
    }

    private mutating func answerAppend(_ id: UploadID) {
        guard let upload = uploads[id], let writer = upload.writer else { return }
        uploads[id]?.releaseWriter()
        if upload.isResumable {
            note(.acknowledged(upload.name, offset: upload.staged))
        }
        respond(answer(to: .append, of: upload, on: writer), on: writer)
    }

    private mutating func answerOffsets(of id: UploadID) {
        guard let upload = uploads[id], upload.isSettled else { return }
        uploads[id]?.waitingForOffset = []
        for connection in upload.waitingForOffset where exchanges[connection] != nil {
            note(.acknowledged(upload.name, offset: upload.staged))
            let answer = answer(to: .offset, of: upload, on: connection)
            respond(answer, on: connection)
        }
    }

    /// The request for which a client of an upload is answered.
    enum UploadQuestion: Hashable { case creation, append, offset }

    private func answer(
        to question: UploadQuestion, of upload: Upload, on id: ServerConnectionID
    ) -> Answer {
        guard let head = exchanges[id]?.head else { return Answer(500) }
        return switch upload.record.frontEnd {
        case .dav, .once, .token, .paced: Self.putAnswer(of: upload)
        case .tus: tusAnswer(to: question, of: upload, for: head)
        case .resumable: resumableAnswer(to: question, of: upload, for: head)
        case .kii: kiiAnswer(to: question, of: upload, for: head)
        }
    }
}
