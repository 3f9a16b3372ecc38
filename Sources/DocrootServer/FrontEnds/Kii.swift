import Content
import Protocols
import Quantities

/// `/api/apps/…/body`: Kii's resumable transfer (behaviour K7–K9, K12).
extension DocrootServer {
    mutating func beginKii(
        _ head: HTTPRequestHead, _ target: RequestTarget, on id: ServerConnectionID,
        into outputs: inout [ServerOutput]
    ) throws(HTTPError) {
        let (name, request) = try KiiRequest.parse(head, path: target.path)
        let path = try place(of: name, on: id)
        switch request {
        case .read:
            let body = newBody()
            if head.method == "HEAD" {
                ask(.look(path), for: .tellHead(path), on: id, into: &outputs)
            } else {
                ask(.open(path, body), for: .read(path, body), on: id, into: &outputs)
            }
        case .put:
            let upload = try makeUpload(
                of: path, length: head.bodyLength, isResumable: false, on: id,
                into: &outputs)
            startWriting(upload, on: id, into: &outputs)
        case .delete: ask(.look(path), for: .remove(path), on: id, into: &outputs)
        case .start:
            let upload = try makeUpload(
                of: path, length: nil, isResumable: true, on: id, into: &outputs)
            awaitCreation(of: upload, on: id)
        case .offset(let number):
            tellOffset(of: try upload(number, of: path).id, on: id, into: &outputs)
        case .append(let number, let chunk):
            try append(chunk, to: try upload(number, of: path), on: id, into: &outputs)
        case .commit(let number): try commit(try upload(number, of: path), on: id, into: &outputs)
        case .cancel(let number):
            try cancel(
                try upload(number, of: path), because: "its client has cancelled it",
                into: &outputs)
            respond(Answer(204), on: id, into: &outputs)
        }
    }

    private func upload(
        _ number: UInt64, of path: ObjectPath
    ) throws(HTTPError) -> Upload {
        guard let upload = uploads[UploadID(number)], upload.record.frontEnd == .kii,
            upload.record.object == path, upload.isResumable
        else { throw HTTPError(404, "there is no upload \(number) of this body") }
        return upload
    }

    /// Appends a chunk. Chunks come in order; a repeated one is a chunk whose answer was lost. A
    /// part of a broken chunk is dropped, since a client knows only whole chunks (K3).
    private mutating func append(
        _ chunk: KiiRequest.Chunk, to upload: Upload, on id: ServerConnectionID,
        into outputs: inout [ServerOutput]
    ) throws(HTTPError) {
        if let total = upload.record.length, total != chunk.total {
            throw HTTPError(
                400, "the body was to have \(total.bytes) bytes, not \(chunk.total.bytes)")
        }
        if upload.writer == nil, chunk.offset + chunk.length <= upload.handedOver {
            return respond(Answer(204), on: id, into: &outputs)
        }
        if upload.writer != nil, chunk.offset < upload.handedOver {
            // A repeated chunk: the client knows before the server that the connection is gone.
            endEarlierWriter(of: upload.id, into: &outputs)
        }
        try checkLength(chunk.total)
        try checkQuota(adding: chunk.total - upload.handedOver, on: id)
        try beginAppend(to: upload.id, at: chunk.offset, chunk.length, on: id, into: &outputs)
        uploads[upload.id]?.countTogether(from: chunk.offset)
        announce(chunk.total, of: upload.id, into: &outputs)
    }

    private mutating func commit(
        _ upload: Upload, on id: ServerConnectionID, into outputs: inout [ServerOutput]
    ) throws(HTTPError) {
        guard upload.stage != .published else {
            // The answer to the first commit was lost: nothing is published twice (S8).
            return respond(Answer(204), on: id, into: &outputs)
        }
        guard upload.staged == upload.record.length, upload.writer == nil else {
            throw HTTPError(
                409,
                "\(upload.staged.bytes) of "
                    + "\(upload.record.length.map { "\($0.bytes)" } ?? "an unknown number of") "
                    + "bytes are there")
        }
        uploads[upload.id]?.end(at: upload.staged)
        tellOffset(of: upload.id, on: id, into: &outputs)
    }

    func kiiAnswer(
        to question: UploadQuestion, of upload: Upload, for head: HTTPRequestHead
    ) -> Answer {
        guard upload.isResumable else { return Self.putAnswer(of: upload) }
        let type = "application/vnd.kii.StartObjectBodyUploadResponse+json"
        switch (question, head.method) {
        case (.creation, _):
            let body = "{\"uploadID\":\"\(upload.id.number)\"}\n"
            return Answer(200, [("Content-Type", type)], body: Array(body.utf8))
        case (.offset, "GET"):
            let body =
                "{\"uploadID\":\"\(upload.id.number)\",\"receivedBytes\":\(upload.staged.bytes)}\n"
            return Answer(200, [("Content-Type", "application/json")], body: Array(body.utf8))
        default: return Answer(204)
        }
    }

    static func kiiRefusal(_ error: HTTPError) -> Answer {
        let code =
            switch error.status {
            case 400, 405: "INVALID_INPUT_DATA"
            case 401: "UNAUTHORIZED"
            case 404: "OBJECT_BODY_NOT_FOUND"
            case 409: "OBJECT_BODY_UPLOAD_CONFLICT"
            case 416: "OBJECT_BODY_RANGE_NOT_SATISFIABLE"
            case 507: "STORAGE_LIMIT_EXCEEDED"
            default: "REFUSED"
            }
        let body = "{\"errorCode\":\"\(code)\",\"message\":\"\(jsonEscaped(error.reason))\"}\n"
        let fields = error.fields.all.map { ($0.name, $0.value) }
        return Answer(
            error.status, [("Content-Type", "application/json")] + fields, body: Array(body.utf8))
    }

    private static func jsonEscaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case _ where scalar.value < 0x20:
                result += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
