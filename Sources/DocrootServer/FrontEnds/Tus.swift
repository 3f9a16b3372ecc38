import Protocols
import Quantities

/// `/tus`: resumable uploads by tus 1.0, with the extensions that are named below.
extension DocrootServer {
    private static let extensions =
        "creation,creation-with-upload,creation-defer-length,termination,checksum,expiration"

    mutating func beginTus(
        _ head: HTTPRequestHead, _ target: RequestTarget, on id: ServerConnectionID
    ) throws(HTTPError) {
        if head.method == "OPTIONS" { return respond(tusOptions, on: id) }
        switch try TusRequest(parsing: head, collection: Self.collection) {
        case .create(_, let name, let length, let isExclusive):
            let object = try place(of: name, on: id)
            let first = try firstBytes(of: head, length)
            let checksum = try Self.checksum(of: head)
            let upload = try makeUpload(
                of: object, length: length, isResumable: true, isExclusive: isExclusive, on: id)
            guard first > .zero else { return awaitCreation(of: upload, on: id) }
            try beginAppend(to: upload, at: .zero, first, on: id)
            if let checksum { uploads[upload]?.countTogether(from: .zero, with: checksum) }
        case .offset(let resource):
            tellOffset(of: try upload(at: resource, on: id).id, on: id)
        case .append(let resource, let offset, let length, let total):
            let upload = try upload(at: resource, on: id)
            let checksum = try Self.checksum(of: head)
            if let total {
                try check(total, of: upload, at: offset, length)
                try checkQuota(of: upload, ofLength: total, on: id)
            }
            try beginAppend(to: upload.id, at: offset, length, on: id)
            if let total {
                announce(total, of: upload.id)
                uploads[upload.id]?.endsAt = total
            }
            if let checksum { uploads[upload.id]?.countTogether(from: offset, with: checksum) }
        case .terminate(let resource):
            try cancel(
                try upload(at: resource, on: id), because: "its client wants no more of it")
            respond(Answer(204, [("Tus-Resumable", TusRequest.version)]), on: id)
        }
    }

    /// Checks a length that is told with bytes: it never changes, and holds these bytes.
    private func check(
        _ total: ByteCount, of upload: Upload, at offset: ByteCount, _ length: ByteCount
    ) throws(HTTPError) {
        try checkTotal(total, of: upload)
        guard offset <= total, length <= total - offset else {
            throw HTTPError(413, "more than the \(total.bytes) bytes that are announced")
        }
    }

    /// Returns the number of bytes that come with an upload's creation.
    private func firstBytes(
        of head: HTTPRequestHead, _ length: ByteCount?
    ) throws(HTTPError) -> ByteCount {
        guard let first = head.bodyLength else {
            throw HTTPError(411, "first bytes come with a Content-Length")
        }
        guard first > .zero else { return .zero }
        guard head.fields["Content-Type"] == TusRequest.contentType else {
            throw HTTPError(415, "the Content-Type of first bytes is \(TusRequest.contentType)")
        }
        if let length, first > length {
            throw HTTPError(413, "more than the \(length.bytes) bytes that were announced")
        }
        return first
    }

    private static func checksum(of head: HTTPRequestHead) throws(HTTPError) -> UploadChecksum? {
        guard let field = head.fields["Upload-Checksum"] else { return nil }
        return try UploadChecksum(parsing: field)
    }

    private var tusOptions: Answer {
        Answer(
            204,
            [
                ("Tus-Resumable", TusRequest.version), ("Tus-Version", TusRequest.version),
                ("Tus-Extension", Self.extensions), ("Tus-Max-Size", "\(settings.bodyLimit.bytes)"),
                ("Tus-Checksum-Algorithm", UploadChecksum.algorithms),
            ])
    }

    func tusAnswer(
        to question: UploadQuestion, of upload: Upload, for head: HTTPRequestHead
    ) -> Answer {
        var response: TusResponse =
            switch question {
            case .creation: .created(resource: upload.resource)
            case .offset: .offset(upload.staged, length: upload.record.length)
            case .append: .appended(upload.staged)
            }
        let isCreation = question == .append && head.method == "POST"
        if isCreation { response = .created(resource: upload.resource) }
        var answer = Answer(response.head, body: response.body)
        if isCreation { answer.head.fields.add("Upload-Offset", "\(upload.staged.bytes)") }
        if let expires = upload.record.expires, upload.stage == .open {
            answer.head.fields.add("Upload-Expires", HTTPDate.text(expires))
        }
        return answer
    }

    static func tusRefusal(_ error: HTTPError) -> Answer {
        let response = TusResponse.refused(status: error.status, reason: error.reason)
        var answer = Answer(response.head, body: response.body)
        // In tus, a client asks for the expected offset by HEAD.
        for field in error.fields.all where error.status != 409 {
            answer.head.fields.add(field.name, field.value)
        }
        return answer
    }
}
