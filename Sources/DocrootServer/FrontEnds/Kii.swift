import Content
import Protocols
import Quantities

/// `/api/apps/…/body`: Kii's resumable transfer (behaviour K7–K9, K12).
extension DocrootServer {
    mutating func beginKii(
        _ head: HTTPRequestHead, _ target: RequestTarget, on id: ServerConnectionID
    ) throws(HTTPError) {
        let (name, request) = try KiiRequest.parse(head, path: target.path)
        let path = try place(of: name, on: id)
        switch request {
        case .read where head.method == "HEAD": ask(.look(path), for: .tellHead(path), on: id)
        case .read: open(path, on: id)
        case .put: try beginWhole(path, of: head, on: id)
        case .delete: ask(.look(path), for: .remove(path), on: id)
        case .start:
            let upload = try makeUpload(of: path, length: nil, isResumable: true, on: id)
            awaitCreation(of: upload, on: id)
        case .offset(let number):
            tellOffset(of: try upload(number, of: path).id, on: id)
        case .append(let number, let chunk):
            try append(chunk, to: try upload(number, of: path), on: id)
        case .commit(let number): try commit(try upload(number, of: path), on: id)
        case .cancel(let number):
            try cancel(try upload(number, of: path), because: "its client has cancelled it")
            respond(Answer(204), on: id)
        }
    }

    private func upload(_ number: UInt64, of path: ObjectPath) throws(HTTPError) -> Upload {
        guard let upload = uploads[UploadID(number)], upload.record.frontEnd == .kii,
            upload.record.object == path, upload.isResumable
        else { throw HTTPError(404, "there is no upload \(number) of this body") }
        return upload
    }

    /// Appends a chunk. Chunks come in order; a repeated one is a chunk whose answer was lost. A
    /// part of a broken chunk is dropped, since a client knows only whole chunks (K3).
    private mutating func append(
        _ chunk: KiiRequest.Chunk, to upload: Upload, on id: ServerConnectionID
    ) throws(HTTPError) {
        if let total = upload.record.length, total != chunk.total {
            throw HTTPError(
                400, "the body was to have \(total.bytes) bytes, not \(chunk.total.bytes)")
        }
        if upload.writer == nil, chunk.offset + chunk.length <= upload.handedOver {
            return respond(Answer(204), on: id)
        }
        if upload.writer != nil, chunk.offset < upload.handedOver {
            // A repeated chunk: the client knows before the server that the connection is gone.
            endEarlierWriter(of: upload.id)
        }
        try checkLength(chunk.total)
        try checkQuota(adding: chunk.total - upload.handedOver, on: id)
        try beginAppend(to: upload.id, at: chunk.offset, chunk.length, on: id)
        uploads[upload.id]?.countTogether(from: chunk.offset)
        announce(chunk.total, of: upload.id)
    }

    private mutating func commit(_ upload: Upload, on id: ServerConnectionID) throws(HTTPError) {
        guard upload.stage != .published else {
            // The answer to the first commit was lost: nothing is published twice (S8).
            return respond(Answer(204), on: id)
        }
        guard upload.staged == upload.record.length, upload.writer == nil else {
            throw HTTPError(
                409,
                "\(upload.staged.bytes) of "
                    + "\(upload.record.length.map { "\($0.bytes)" } ?? "an unknown number of") "
                    + "bytes are there")
        }
        uploads[upload.id]?.endsAt = upload.staged
        tellOffset(of: upload.id, on: id)
    }

    func kiiAnswer(
        to question: UploadQuestion, of upload: Upload, for head: HTTPRequestHead
    ) -> Answer {
        guard upload.isResumable else { return Self.putAnswer(of: upload) }
        let type = "application/vnd.kii.StartObjectBodyUploadResponse+json"
        switch (question, head.method) {
        case (.creation, _):
            return Answer(200, type: type, text: "{\"uploadID\":\"\(upload.id.number)\"}")
        case (.offset, "GET"):
            let text =
                "{\"uploadID\":\"\(upload.id.number)\",\"receivedBytes\":\(upload.staged.bytes)}"
            return Answer(200, type: Answer.json, text: text)
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
        let message = jsonEscaped(error.reason)
        return refusal(
            error, type: Answer.json,
            text: "{\"errorCode\":\"\(code)\",\"message\":\"\(message)\"}")
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
