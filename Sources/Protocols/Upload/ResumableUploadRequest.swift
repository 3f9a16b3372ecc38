package import Quantities

/// A request of a resumable upload.
package enum ResumableUploadRequest: Hashable, Sendable {
    /// POST or PUT to the object's path: a new upload, with its first bytes.
    case create(Chunk)
    /// HEAD: how much is there?
    case offset
    /// PATCH: bytes from this offset on follow.
    case append(Chunk, at: ByteCount)
    /// DELETE: the upload is no longer wanted.
    case cancel

    package struct Chunk: Hashable, Sendable {
        package var length: ByteCount
        /// Whether these bytes are the last.
        package var isLast: Bool
        /// The length of the whole upload, if the client has told it.
        package var total: ByteCount?

        package init(length: ByteCount, isLast: Bool, total: ByteCount?) {
            self.length = length
            self.isLast = isLast
            self.total = total
        }
    }

    package static let contentType = "application/partial-upload"

    /// Parses a head. `isResource` says whether the target is an upload, rather than a future
    /// object.
    package init(
        parsing head: HTTPRequestHead, in version: ResumableUploadVersion, isResource: Bool
    ) throws(HTTPError) {
        switch (head.method, isResource) {
        case ("POST", false), ("PUT", false):
            guard head.fields["Upload-Offset"] == nil else {
                throw HTTPError(400, "a new upload has no Upload-Offset")
            }
            // Without the field it is an ordinary upload that can be resumed.
            self = .create(
                try Self.chunk(of: head, in: version, at: .zero, isLastByDefault: true))
        case ("HEAD", true):
            guard head.fields["Upload-Offset"] == nil else {
                throw HTTPError(400, "who asks for the offset tells none")
            }
            self = .offset
        case ("PATCH", true):
            guard let offset = StructuredField.count(head.fields["Upload-Offset"]) else {
                throw HTTPError(400, "Upload-Offset is missing")
            }
            if version == .six, head.fields["Content-Type"] != Self.contentType {
                throw HTTPError(415, "the Content-Type of a PATCH is \(Self.contentType)")
            }
            self = .append(
                try Self.chunk(of: head, in: version, at: offset, isLastByDefault: nil),
                at: offset)
        case ("DELETE", true): self = .cancel
        default: throw HTTPError(405, "\(head.method) has no meaning here")
        }
    }

    private static func chunk(
        of head: HTTPRequestHead, in version: ResumableUploadVersion, at offset: ByteCount,
        isLastByDefault: Bool?
    ) throws(HTTPError) -> Chunk {
        guard let isLast = version.completeness(of: head.fields) ?? isLastByDefault else {
            throw HTTPError(400, "\(version.completeness(true).0) is missing")
        }
        guard let length = head.bodyLength else {
            throw HTTPError(411, "what may have to be resumed comes with a Content-Length")
        }
        let announced = StructuredField.count(head.fields["Upload-Length"])
        if isLast, let announced, announced != offset + length {
            throw HTTPError(
                400,
                "Upload-Length is \(announced.bytes), "
                    + "but the last byte is number \((offset + length).bytes)")
        }
        if let announced, announced < offset + length {
            throw HTTPError(400, "more than the \(announced.bytes) bytes of Upload-Length")
        }
        return Chunk(length: length, isLast: isLast, total: isLast ? offset + length : announced)
    }
}
