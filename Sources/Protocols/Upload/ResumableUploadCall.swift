package import Quantities

/// A client's request of a resumable upload: the request, its target and its dialect.
package struct ResumableUploadCall: Hashable, Sendable {
    package let request: ResumableUploadRequest
    /// The path of the object to make, or of the upload.
    package let target: String
    private let version: ResumableUploadVersion
    private let extras: RequestExtras

    package init(
        _ request: ResumableUploadRequest, to target: String, in version: ResumableUploadVersion,
        _ extras: RequestExtras = RequestExtras()
    ) {
        self.extras = extras
        self.request = request
        self.target = target
        self.version = version
    }

    /// Begins an upload with no bytes, which the draft calls careful: its address is known before
    /// there is anything to lose.
    package static func begin(
        _ object: String, total: ByteCount, in version: ResumableUploadVersion,
        _ extras: RequestExtras = RequestExtras()
    ) -> Self {
        let chunk = ResumableUploadRequest.Chunk(length: .zero, isLast: false, total: total)
        let target = RequestExtras.target(of: object, below: "/upload/")
        return Self(.create(chunk), to: target, in: version, extras)
    }

    package func head(host: String) -> HTTPRequestHead {
        let common = [("Host", host), (ResumableUploadVersion.field, "\(version.rawValue)")]
        let (method, own): (String, [(String, String)]) =
            switch request {
            case .create(let chunk): (extras.method ?? "POST", fields(of: chunk))
            case .offset: ("HEAD", [])
            case .append(let chunk, let offset):
                (
                    "PATCH",
                    [
                        ("Upload-Offset", "\(offset.bytes)"),
                        ("Content-Type", ResumableUploadRequest.contentType),
                    ] + fields(of: chunk)
                )
            case .cancel: ("DELETE", [])
            }
        return HTTPRequestHead(method, target, common + own + extras.pairs)
    }

    /// Only the last dialect tells the length of the whole.
    private func fields(of chunk: ResumableUploadRequest.Chunk) -> [(String, String)] {
        let total = version == .six ? chunk.total : nil
        return [version.completeness(chunk.isLast)]
            + (total.map { [("Upload-Length", "\($0.bytes)")] } ?? [])
            + [("Content-Length", "\(chunk.length.bytes)")]
    }
}

/// The offset of an upload, as told by the server.
package struct ResumableUploadOffset: Hashable, Sendable {
    package let offset: ByteCount
    package let isComplete: Bool

    package init(
        parsing head: HTTPResponseHead, in version: ResumableUploadVersion
    ) throws(HTTPError) {
        guard let offset = StructuredField.count(head.fields["Upload-Offset"]) else {
            throw HTTPError(502, "the server's answer has no usable Upload-Offset")
        }
        guard let isComplete = version.completeness(of: head.fields) else {
            throw HTTPError(
                502, "the server's answer has no usable \(version.completeness(true).0)")
        }
        self.offset = offset
        self.isComplete = isComplete
    }
}
