package import Quantities

/// One request of such an upload as its client sends it: what, where, and in which dialect.
package struct ResumableUploadCall: Hashable, Sendable {
    package let request: ResumableUploadRequest
    /// Where the object is to be, or the upload.
    package let target: String
    private let version: ResumableUploadVersion

    package init(
        _ request: ResumableUploadRequest, to target: String, in version: ResumableUploadVersion
    ) {
        self.request = request
        self.target = target
        self.version = version
    }

    /// Begins an upload with none of its bytes, which the draft calls careful: it is known where
    /// the upload is before there is anything to lose.
    package static func begin(
        _ object: String, total: ByteCount, in version: ResumableUploadVersion
    ) -> Self {
        let chunk = ResumableUploadRequest.Chunk(length: .zero, isLast: false, total: total)
        return Self(.create(chunk), to: "/upload/" + PercentCoding.encode(object), in: version)
    }

    package func head(host: String) -> HTTPRequestHead {
        let common = [("Host", host), (ResumableUploadVersion.field, "\(version.rawValue)")]
        let (method, own): (String, [(String, String)]) =
            switch request {
            case .create(let chunk): ("POST", fields(of: chunk))
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
        return HTTPRequestHead(method, target, fields: HTTPFields(common + own))
    }

    /// The dialects before the last one know no length of the whole.
    private func fields(of chunk: ResumableUploadRequest.Chunk) -> [(String, String)] {
        let total = version == .six ? chunk.total : nil
        return [version.completeness(chunk.isLast)]
            + (total.map { [("Upload-Length", "\($0.bytes)")] } ?? [])
            + [("Content-Length", "\(chunk.length.bytes)")]
    }
}

/// How much of an upload a server says that it has.
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
