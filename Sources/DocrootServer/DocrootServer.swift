import Content
import Protocols
package import Quantities

/// The mock server: requests in, answers out, bytes to a store that the world keeps.
///
/// Sans-I/O like the engine: it acknowledges an offset only after the store has said that it is
/// durable, and an object changes for its readers in one step.
package struct DocrootServer: Sendable {
    private var exchanges: [ServerConnectionID: Exchange] = [:]
    private var uploads: [UploadID: Upload] = [:]
    /// How often each object was published.
    private var versions: [String: UInt64] = [:]
    private var lastUpload: UInt64 = 0

    /// The path at which uploads are created.
    package static let collection = "/tus"

    package init() {}

    /// Takes one input to its end. The server has no timers yet, so there is never a deadline.
    package mutating func handle(
        _ input: ServerInput, at now: Instant, into outputs: inout [ServerOutput]
    ) -> Instant? {
        switch input {
        case .connected(let id): exchanges[id] = Exchange()
        case .received(let id, let segments): received(segments, on: id, into: &outputs)
        case .disconnected(let id): disconnected(id, into: &outputs)
        case .staged(let id, let total): staged(id, total, into: &outputs)
        case .published(let id, let content): published(id, content, into: &outputs)
        case .storeFailed(let id, let reason): storeFailed(id, reason, into: &outputs)
        }
        return nil
    }

    // MARK: Connections

    private mutating func received(
        _ segments: [Segment], on id: ServerConnectionID, into outputs: inout [ServerOutput]
    ) {
        guard !streamBody(segments, on: id, into: &outputs), var exchange = exchanges[id] else {
            return
        }
        do {
            exchange.waiting += try exchange.reader.read(segments)
            exchanges[id] = exchange
            advance(id, into: &outputs)
        } catch {
            answer(.refused(status: error.status, reason: error.reason), on: id, into: &outputs)
            outputs.append(
                .note(
                    .refused(
                        method: "?", target: "?", status: error.status, why: error.reason)))
            drop(id, into: &outputs)
        }
    }

    /// The bulk of every upload: bytes from the middle of a body, which go to the store as they
    /// are.
    private mutating func streamBody(
        _ segments: [Segment], on id: ServerConnectionID, into outputs: inout [ServerOutput]
    ) -> Bool {
        // By place, since each look-up by key hashes: this is where a simulation spends its time.
        guard let place = exchanges.index(forKey: id), exchanges.values[place].waiting.isEmpty,
            case .appending(let upload) = exchanges.values[place].state,
            exchanges.values[place].reader.passBody(segments.length)
        else { return false }
        append(segments, to: upload, into: &outputs)
        return true
    }

    private mutating func advance(
        _ id: ServerConnectionID, into outputs: inout [ServerOutput]
    ) {
        while let exchange = exchanges[id], !exchange.isBlocked, !exchange.waiting.isEmpty {
            let part = exchanges[id]?.waiting.removeFirst()
            switch (exchange.state, part) {
            case (.idle, .head(let head)): begin(head, on: id, into: &outputs)
            case (.appending(let upload), .body(let segment)):
                append([segment], to: upload, into: &outputs)
            case (.appending(let upload), .end): endAppend(of: upload, on: id, into: &outputs)
            case (.discarding, .end): exchanges[id]?.state = .idle
            default: break  // the end of a request without a body, or a body nobody wants
            }
        }
    }

    private mutating func disconnected(
        _ id: ServerConnectionID, into outputs: inout [ServerOutput]
    ) {
        if case .appending(let upload) = exchanges[id]?.state {
            releaseWriter(of: upload, into: &outputs)
        }
        exchanges[id] = nil
    }

    private mutating func drop(_ id: ServerConnectionID, into outputs: inout [ServerOutput]) {
        outputs.append(.close(id))
        disconnected(id, into: &outputs)
    }

    // MARK: Requests

    private mutating func begin(
        _ head: HTTPRequestHead, on id: ServerConnectionID, into outputs: inout [ServerOutput]
    ) {
        do {
            switch try TusRequest(parsing: head, collection: Self.collection) {
            case .create(_, let object, let length):
                create(try ObjectPath(object), length, on: id, into: &outputs)
            case .offset(let resource):
                tellOffset(of: try upload(at: resource), on: id, into: &outputs)
            case .append(let resource, let offset, let length):
                try beginAppend(
                    to: try upload(at: resource), at: offset, length, on: id, into: &outputs)
            }
        } catch {
            exchanges[id]?.state = .discarding
            outputs.append(
                .note(
                    .refused(
                        method: head.method, target: head.target, status: error.status,
                        why: error.reason)))
            let response = TusResponse.refused(status: error.status, reason: error.reason)
            // RFC 9110 §9.3.2: whatever its fields say, an answer to HEAD has no body.
            let body = head.method == "HEAD" ? [] : response.body
            outputs.append(.send(id, [.bytes(response.head.bytes + body)]))
        }
    }

    private func upload(at resource: String) throws(HTTPError) -> UploadID {
        let prefix = Self.collection + "/"
        guard resource.hasPrefix(prefix), let number = UInt64(resource.dropFirst(prefix.count)),
            uploads[UploadID(number)] != nil
        else { throw HTTPError(404, "there is no upload at \(resource)") }
        return UploadID(number)
    }

    private mutating func create(
        _ object: ObjectPath, _ length: ByteCount, on id: ServerConnectionID,
        into outputs: inout [ServerOutput]
    ) {
        lastUpload += 1
        let upload = UploadID(lastUpload)
        uploads[upload] = Upload(id: upload, object: object, length: length)
        outputs.append(.note(.created(upload, object: object.text, length: length)))
        if length == .zero {
            uploads[upload]?.creator = id
            exchanges[id]?.state = .answering(upload)
            publish(upload, into: &outputs)
        } else {
            answerCreation(upload, on: id, into: &outputs)
        }
    }

    /// A client that asks has given up what it was doing before: an earlier append is over, so that
    /// the offset it hears stays true (S6).
    private mutating func tellOffset(
        of upload: UploadID, on id: ServerConnectionID, into outputs: inout [ServerOutput]
    ) {
        endEarlierWriter(of: upload, into: &outputs)
        uploads[upload]?.waitingForOffset.append(id)
        exchanges[id]?.state = .answering(upload)
        settle(upload, into: &outputs)
    }

    private mutating func beginAppend(
        to id: UploadID, at offset: ByteCount, _ length: ByteCount,
        on connection: ServerConnectionID, into outputs: inout [ServerOutput]
    ) throws(HTTPError) {
        guard let upload = uploads[id] else { return }
        guard upload.stage == .open else {
            throw HTTPError(403, "\(id.resource) is complete: nothing can be added to it")
        }
        guard offset == upload.handedOver else {
            throw HTTPError(
                409, "\(id.resource) has \(upload.handedOver.bytes) bytes, not \(offset.bytes)")
        }
        guard length <= upload.length - offset else {
            throw HTTPError(413, "more than the \(upload.length.bytes) bytes that were announced")
        }
        // Only now: what comes late from a connection that was given up must not end its successor.
        endEarlierWriter(of: id, into: &outputs)
        outputs.append(.note(.appendBegan(id, at: offset, staged: upload.handedOver)))
        uploads[id]?.writer = connection
        exchanges[connection]?.state = .appending(id)
    }

    private mutating func append(
        _ segments: [Segment], to id: UploadID, into outputs: inout [ServerOutput]
    ) {
        guard let place = uploads.index(forKey: id) else { return }
        let offset = uploads.values[place].handOver(segments.length)
        outputs.append(.stage(id, at: offset, segments))
    }

    private mutating func endAppend(
        of id: UploadID, on connection: ServerConnectionID, into outputs: inout [ServerOutput]
    ) {
        exchanges[connection]?.state = .answering(id)
        uploads[id]?.owesWriter = true
        settle(id, into: &outputs)
    }

    private mutating func endEarlierWriter(
        of id: UploadID, into outputs: inout [ServerOutput]
    ) {
        guard let writer = uploads[id]?.writer else { return }
        drop(writer, into: &outputs)
    }

    private mutating func releaseWriter(of id: UploadID, into outputs: inout [ServerOutput]) {
        guard let upload = uploads[id] else { return }
        uploads[id]?.writer = nil
        uploads[id]?.owesWriter = false
        outputs.append(.note(.appendEnded(id, staged: upload.handedOver, complete: false)))
    }

    // MARK: The store's answers

    private mutating func staged(
        _ id: UploadID, _ total: ByteCount, into outputs: inout [ServerOutput]
    ) {
        guard let place = uploads.index(forKey: id) else { return }
        if uploads.values[place].confirm(total) { settle(id, into: &outputs) }
    }

    /// Once everything handed over is durable: publish a whole upload, answer what is owed.
    ///
    /// The offset at the end of an upload is taken for the word that the object stands: an upload
    /// that is whole and could not be published is published before it is told.
    private mutating func settle(_ id: UploadID, into outputs: inout [ServerOutput]) {
        guard let upload = uploads[id], upload.staged == upload.handedOver else { return }
        if upload.owesWriter {
            outputs.append(
                .note(.appendEnded(id, staged: upload.staged, complete: upload.isWhole)))
        }
        if upload.isWhole, upload.stage == .open { return publish(id, into: &outputs) }
        answerOffsets(of: id, into: &outputs)
        if upload.owesWriter { answerAppend(id, into: &outputs) }
    }

    private mutating func publish(_ id: UploadID, into outputs: inout [ServerOutput]) {
        guard let upload = uploads[id] else { return }
        uploads[id]?.stage = .publishing
        outputs.append(.publish(id, object: upload.object.text))
    }

    private mutating func published(
        _ id: UploadID, _ content: [ContentRange], into outputs: inout [ServerOutput]
    ) {
        guard let upload = uploads[id] else { return }
        let object = upload.object.text
        let version = versions[object, default: 0] + 1
        versions[object] = version
        uploads[id]?.stage = .published
        outputs.append(.note(.published(id, object: object, version: version, content)))
        if let creator = upload.creator {
            uploads[id]?.creator = nil
            answerCreation(id, on: creator, into: &outputs)
        }
        answerAppend(id, into: &outputs)
        answerOffsets(of: id, into: &outputs)
    }

    private mutating func storeFailed(
        _ id: UploadID, _ reason: String, into outputs: inout [ServerOutput]
    ) {
        guard let upload = uploads[id] else { return }
        uploads[id]?.handedOver = upload.staged
        uploads[id]?.stage = .open
        uploads[id]?.writer = nil
        uploads[id]?.owesWriter = false
        uploads[id]?.creator = nil
        uploads[id]?.waitingForOffset = []
        let owed = [upload.writer, upload.creator].compactMap { $0 } + upload.waitingForOffset
        for connection in owed {
            outputs.append(
                .note(
                    .refused(method: "PATCH", target: id.resource, status: 500, why: reason)))
            answer(.refused(status: 500, reason: reason), on: connection, into: &outputs)
            exchanges[connection]?.state = .discarding
            drop(connection, into: &outputs)
        }
    }

    // MARK: Answers

    private mutating func answerCreation(
        _ id: UploadID, on creator: ServerConnectionID, into outputs: inout [ServerOutput]
    ) {
        outputs.append(.note(.acknowledged(id, offset: .zero)))
        answer(.created(resource: id.resource), on: creator, into: &outputs)
        exchanges[creator]?.state = .idle
    }

    private mutating func answerAppend(_ id: UploadID, into outputs: inout [ServerOutput]) {
        guard let upload = uploads[id], let writer = upload.writer else { return }
        uploads[id]?.writer = nil
        uploads[id]?.owesWriter = false
        outputs.append(.note(.acknowledged(id, offset: upload.staged)))
        answer(.appended(upload.staged), on: writer, into: &outputs)
        exchanges[writer]?.state = .idle
        advance(writer, into: &outputs)
    }

    private mutating func answerOffsets(of id: UploadID, into outputs: inout [ServerOutput]) {
        guard let upload = uploads[id], upload.isSettled else { return }
        uploads[id]?.waitingForOffset = []
        for connection in upload.waitingForOffset where exchanges[connection] != nil {
            outputs.append(.note(.acknowledged(id, offset: upload.staged)))
            let response = TusResponse.offset(upload.staged, length: upload.length)
            answer(response, on: connection, into: &outputs)
            exchanges[connection]?.state = .idle
            advance(connection, into: &outputs)
        }
    }

    private func answer(
        _ response: TusResponse, on id: ServerConnectionID, into outputs: inout [ServerOutput]
    ) {
        outputs.append(.send(id, [.bytes(response.head.bytes + response.body)]))
    }
}
