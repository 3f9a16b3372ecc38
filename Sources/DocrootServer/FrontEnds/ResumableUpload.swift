import Content
import Protocols
import Quantities

/// `/upload/PATH`: an ordinary POST or PUT of an object that can be resumed
/// (draft-ietf-httpbis-resumable-upload, drafts 01 to 05).
extension DocrootServer {
    mutating func beginResumable(
        _ head: HTTPRequestHead, _ target: RequestTarget, on id: ServerConnectionID
    ) throws(HTTPError) {
        let isResource = target.first == FrontEnd.resumable.resources.dropFirst()
        guard let version = ResumableUploadVersion(of: head) else {
            // The client speaks no known dialect, so nothing is promised.
            guard !isResource, head.method == "PUT" || head.method == "POST" else {
                throw HTTPError(
                    400, "\(ResumableUploadVersion.field) has to be 3, 5 or 6 to resume an upload")
            }
            try beginWhole(try place(of: target.behindFirst, on: id), of: head, on: id)
            return
        }
        let request = try ResumableUploadRequest(
            parsing: head, in: version, isResource: isResource)
        switch request {
        case .create(let chunk):
            let object = try place(of: target.behindFirst, on: id)
            let upload = try makeUpload(
                of: object, length: chunk.total, isResumable: true, on: id)
            try beginAppend(to: upload, at: .zero, chunk.length, on: id)
            uploads[upload]?.endsAt = chunk.isLast ? chunk.length : nil
        case .offset:
            tellOffset(of: try upload(at: target.path, on: id).id, on: id)
        case .append(let chunk, let offset):
            let upload = try upload(at: target.path, on: id)
            guard upload.stage != .published else {
                throw HTTPError(
                    400, "\(upload.resource) is complete: nothing can be added to it",
                    fields: [version.completeness(true)])
            }
            if let total = chunk.total {
                try checkTotal(total, of: upload)
                try checkQuota(of: upload, ofLength: total, on: id)
            }
            try beginAppend(to: upload.id, at: offset, chunk.length, on: id)
            if let total = chunk.total { announce(total, of: upload.id) }
            uploads[upload.id]?.endsAt = chunk.isLast ? offset + chunk.length : nil
        case .cancel:
            try cancel(
                try upload(at: target.path, on: id), because: "its client wants no more of it")
            respond(Answer(204), on: id)
        }
    }

    /// Tells the client the upload's address once its record is kept.
    mutating func promiseResumption(of upload: Upload, to writer: ServerConnectionID) {
        guard let head = exchanges[writer]?.head, !head.isOld, head.method != "PATCH",
            let version = ResumableUploadVersion(of: head)
        else { return }
        let interim = HTTPResponseHead(
            104,
            [
                (ResumableUploadVersion.field, "\(version.rawValue)"),
                ("Location", upload.resource),
            ] + limits(of: upload, in: version))
        outputs.append(.send(writer, [.bytes(interim.bytes)]))
    }

    func resumableAnswer(
        to question: UploadQuestion, of upload: Upload, for head: HTTPRequestHead
    ) -> Answer {
        let isComplete = upload.stage == .published
        guard let version = ResumableUploadVersion(of: head) else {
            return Answer(upload.replaces ? 200 : 201)
        }
        var fields = [
            version.completeness(isComplete), ("Upload-Offset", "\(upload.staged.bytes)"),
        ]
        if question == .offset {
            fields.append(("Cache-Control", "no-store"))
            if version == .six, let length = upload.record.length {
                fields.append(("Upload-Length", "\(length.bytes)"))
            }
            return Answer(204, fields + limits(of: upload, in: version))
        }
        if isComplete, let published = upload.version {
            fields.append(("ETag", EntityTag("v\(published)").field))
        }
        guard head.method == "PATCH" else {
            fields.append(("Location", upload.resource))
            return Answer(201, fields + limits(of: upload, in: version))
        }
        // Draft 01 §5.2 answers a part with 201; later drafts allow any success.
        let status = isComplete ? 200 : version == .three ? 201 : 204
        return Answer(status, fields)
    }

    /// Adds a machine-readable problem (RFC 9457) to a refusal, as draft 05 demands.
    static func resumableRefusal(_ error: HTTPError, of head: HTTPRequestHead) -> Answer {
        let version = ResumableUploadVersion(of: head)
        guard version == .six, error.status == 409,
            let expected = StructuredField.count(error.fields["Upload-Offset"]),
            let provided = StructuredField.count(head.fields["Upload-Offset"])
        else { return refusal(error) }
        let body = """
            {"type":"https://iana.org/assignments/http-problem-types#mismatching-upload-offset",\
            "title":"offset from request does not match offset of resource",\
            "expected-offset":\(expected.bytes),"provided-offset":\(provided.bytes)}
            """
        return refusal(error, type: "application/problem+json", text: body)
    }

    private func limits(
        of upload: Upload, in version: ResumableUploadVersion
    ) -> [(String, String)] {
        guard version == .six else { return [] }
        var limits = ["max-size=\(settings.bodyLimit.bytes)"]
        if let expires = upload.record.expires {
            let wall = settings.wallClock(at: now)
            limits.append("max-age=\(expires > wall ? expires - wall : 0)")
        }
        return [("Upload-Limit", limits.joined(separator: ", "))]
    }
}
