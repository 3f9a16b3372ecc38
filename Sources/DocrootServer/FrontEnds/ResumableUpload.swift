import Content
import Protocols
import Quantities

/// `/upload/PATH`: an ordinary POST or PUT of an object that can be resumed
/// (draft-ietf-httpbis-resumable-upload, drafts 01 to 05).
extension DocrootServer {
    mutating func beginResumable(
        _ head: HTTPRequestHead, _ target: RequestTarget, on id: ServerConnectionID,
        into outputs: inout [ServerOutput]
    ) throws(HTTPError) {
        let isResource = target.first == FrontEnd.resumable.resources.dropFirst()
        guard let version = ResumableUploadVersion(of: head) else {
            // The client speaks no known dialect, so nothing is promised.
            guard !isResource, head.method == "PUT" || head.method == "POST" else {
                throw HTTPError(
                    400, "\(ResumableUploadVersion.field) has to be 3, 5 or 6 to resume an upload")
            }
            return try beginWhole(target, head, on: id, into: &outputs)
        }
        let request = try ResumableUploadRequest(
            parsing: head, in: version, isResource: isResource)
        switch request {
        case .create(let chunk):
            let upload = try makeUpload(
                of: try object(of: target, on: id), length: chunk.total, isResumable: true,
                on: id, into: &outputs)
            try beginAppend(to: upload, at: .zero, chunk.length, on: id, into: &outputs)
            uploads[upload]?.end(at: chunk.isLast ? chunk.length : nil)
        case .offset:
            tellOffset(of: try upload(at: target.path, on: id).id, on: id, into: &outputs)
        case .append(let chunk, let offset):
            let upload = try upload(at: target.path, on: id)
            guard upload.stage != .published else {
                throw HTTPError(
                    400, "\(upload.resource) is complete: nothing can be added to it",
                    fields: [version.completeness(true)])
            }
            try check(chunk, of: upload)
            try beginAppend(to: upload.id, at: offset, chunk.length, on: id, into: &outputs)
            if let total = chunk.total { announce(total, of: upload.id, into: &outputs) }
            uploads[upload.id]?.end(at: chunk.isLast ? offset + chunk.length : nil)
        case .cancel:
            try cancel(
                try upload(at: target.path, on: id), because: "its client wants no more of it",
                into: &outputs)
            respond(Answer(204), on: id, into: &outputs)
        }
    }

    private func check(
        _ chunk: ResumableUploadRequest.Chunk, of upload: Upload
    ) throws(HTTPError) {
        if let total = chunk.total { try checkTotal(total, of: upload) }
    }

    /// Begins an upload that cannot be resumed: all of it in one request, or none.
    private mutating func beginWhole(
        _ target: RequestTarget, _ head: HTTPRequestHead, on id: ServerConnectionID,
        into outputs: inout [ServerOutput]
    ) throws(HTTPError) {
        let upload = try makeUpload(
            of: try object(of: target, on: id), length: head.bodyLength,
            isResumable: false, on: id, into: &outputs)
        startWriting(upload, on: id, into: &outputs)
    }

    private func object(
        of target: RequestTarget, on id: ServerConnectionID
    ) throws(HTTPError) -> ObjectPath {
        try place(of: target.behindFirst, on: id)
    }

    private func upload(
        at resource: String, on id: ServerConnectionID
    ) throws(HTTPError) -> Upload {
        try upload(at: resource, of: .resumable, on: id)
    }

    /// Tells the client the upload's address once its record is kept.
    mutating func promiseResumption(
        of upload: Upload, to writer: ServerConnectionID, into outputs: inout [ServerOutput]
    ) {
        guard let head = exchanges[writer]?.head, !head.isOld, head.method != "PATCH",
            let version = ResumableUploadVersion(of: head)
        else { return }
        let interim = HTTPResponseHead(
            104,
            fields: HTTPFields(
                [
                    (ResumableUploadVersion.field, "\(version.rawValue)"),
                    ("Location", upload.resource),
                ] + limits(of: upload, in: version)))
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
        let fields = error.fields.all.map { ($0.name, $0.value) }
        return Answer(
            409, [("Content-Type", "application/problem+json")] + fields, body: Array(body.utf8))
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
