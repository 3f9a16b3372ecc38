package import Quantities

/// An answer of a tus 1.0 server, as a value for both sides.
package enum TusResponse: Hashable, Sendable {
    case created(resource: String)
    /// The length is `nil` if nobody has told it yet.
    case offset(ByteCount, length: ByteCount?)
    /// The append was accepted; the upload now has this length.
    case appended(ByteCount)
    case terminated
    case refused(status: Int, reason: String)

    package var head: HTTPResponseHead {
        let version = ("Tus-Resumable", TusRequest.version)
        return switch self {
        case .created(let resource):
            HTTPResponseHead(201, [version, ("Location", resource), ("Content-Length", "0")])
        case .offset(let offset, let length):
            HTTPResponseHead(
                200,
                [
                    version, ("Upload-Offset", "\(offset.bytes)"), TusRequest.field(of: length),
                    ("Cache-Control", "no-store"),
                ])
        case .appended(let offset):
            HTTPResponseHead(204, [version, ("Upload-Offset", "\(offset.bytes)")])
        case .terminated: HTTPResponseHead(204, [version])
        case .refused(let status, let reason):
            HTTPResponseHead(
                status,
                [
                    version, ("Content-Type", "text/plain; charset=utf-8"),
                    ("Content-Length", "\(reason.utf8.count)"),
                ])
        }
    }

    /// The body after the head: the reason of a refusal, for a person with curl.
    package var body: [UInt8] {
        if case .refused(_, let reason) = self { Array(reason.utf8) } else { [] }
    }

    /// Parses the answer to `request`; throws for an answer that makes no sense.
    package init(parsing head: HTTPResponseHead, to request: TusRequest) throws(HTTPError) {
        guard (200..<300).contains(head.status) else {
            self = .refused(
                status: head.status, reason: HTTPResponseHead.reason(for: head.status))
            return
        }
        switch request {
        case .create:
            guard head.status == 201, let location = head.fields["Location"],
                location.hasPrefix("/")
            else { throw HTTPError(500, "the server created an upload but says not where") }
            self = .created(resource: location)
        case .offset:
            self = .offset(
                try Self.count("Upload-Offset", of: head),
                length: head.fields["Upload-Defer-Length"] == "1"
                    ? nil : try Self.count("Upload-Length", of: head))
        case .append:
            self = .appended(try Self.count("Upload-Offset", of: head))
        case .terminate: self = .terminated
        }
    }

    private static func count(
        _ name: String, of head: HTTPResponseHead
    ) throws(HTTPError) -> ByteCount {
        guard let text = head.fields[name], let count = ByteCount(decimalDigits: text) else {
            throw HTTPError(500, "the server's answer has no usable \(name)")
        }
        return count
    }
}
