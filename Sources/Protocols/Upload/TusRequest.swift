package import Quantities

/// A request of a tus 1.0 client (core protocol and creation), as a value for both sides.
///
/// The client writes it with `head(host:)`, and the server reads it with `init(parsing:)`; neither
/// spells header fields itself.
package enum TusRequest: Hashable, Sendable {
    /// POST to the collection: a new upload of an object. `nil` means that its length is told later
    /// (the extension creation-defer-length). An exclusive upload is not published over an existing
    /// object: it has the condition `If-None-Match: *` (RFC 9110 §13.1.2).
    case create(
        collection: String, object: String, length: ByteCount?, isExclusive: Bool = false)
    /// HEAD: how much is there?
    case offset(resource: String)
    /// PATCH: bytes from this offset on follow. `total` tells the upload's length if it was not
    /// known.
    case append(resource: String, at: ByteCount, length: ByteCount, total: ByteCount? = nil)
    /// DELETE: the upload is no longer wanted (the termination extension).
    case terminate(resource: String)

    package static let version = "1.0.0"
    package static let contentType = "application/offset+octet-stream"

    package func head(host: String) -> HTTPRequestHead {
        let common = [("Host", host), ("Tus-Resumable", Self.version)]
        switch self {
        case .create(let collection, let object, let length, let isExclusive):
            let metadata = "filename " + Base64.encode(Array(object.utf8))
            var own = [
                Self.field(of: length), ("Upload-Metadata", metadata), ("Content-Length", "0"),
            ]
            if isExclusive { own.append(("If-None-Match", "*")) }
            return HTTPRequestHead("POST", collection, common + own)
        case .offset(let resource):
            return HTTPRequestHead("HEAD", resource, common)
        case .append(let resource, let offset, let length, let total):
            var own = [
                ("Upload-Offset", "\(offset.bytes)"), ("Content-Type", Self.contentType),
                ("Content-Length", "\(length.bytes)"),
            ]
            if let total { own.append(Self.field(of: total)) }
            return HTTPRequestHead("PATCH", resource, common + own)
        case .terminate(let resource):
            return HTTPRequestHead("DELETE", resource, common)
        }
    }

    /// The field that tells the length of an upload, or that nobody knows it yet.
    static func field(of length: ByteCount?) -> (String, String) {
        length.map { ("Upload-Length", "\($0.bytes)") } ?? ("Upload-Defer-Length", "1")
    }

    /// Parses a head, or throws the answer that it deserves.
    package init(parsing head: HTTPRequestHead, collection: String) throws(HTTPError) {
        try Self.checkVersion(of: head)
        switch head.method {
        case "POST":
            guard head.target == collection else {
                throw HTTPError(404, "uploads are created at \(collection)")
            }
            self = .create(
                collection: collection, object: try Self.object(of: head),
                length: try Self.announcedLength(of: head),
                isExclusive: head.fields["If-None-Match"] == "*")
        case "HEAD":
            self = .offset(resource: head.target)
        case "PATCH":
            guard head.fields["Content-Type"] == Self.contentType else {
                throw HTTPError(415, "the Content-Type of a PATCH is \(Self.contentType)")
            }
            self = .append(
                resource: head.target, at: try Self.count("Upload-Offset", of: head),
                length: try Self.count("Content-Length", of: head),
                total: head.fields["Upload-Length"] == nil
                    ? nil : try Self.count("Upload-Length", of: head))
        case "DELETE":
            self = .terminate(resource: head.target)
        default:
            throw HTTPError(405, "\(head.method) has no meaning here")
        }
    }

    /// Refuses a client of another tus version, whatever it asks.
    private static func checkVersion(of head: HTTPRequestHead) throws(HTTPError) {
        guard let version = head.fields["Tus-Resumable"] else {
            throw HTTPError(412, "Tus-Resumable is missing")
        }
        guard version == Self.version else {
            throw HTTPError(412, "tus \(version) is not spoken here, \(Self.version) is")
        }
    }

    private static func announcedLength(of head: HTTPRequestHead) throws(HTTPError) -> ByteCount? {
        guard let deferral = head.fields["Upload-Defer-Length"] else {
            return try count("Upload-Length", of: head)
        }
        guard deferral == "1", head.fields["Upload-Length"] == nil else {
            throw HTTPError(400, "a length is told with Upload-Length, or deferred with 1")
        }
        return nil
    }

    private static func count(
        _ name: String, of head: HTTPRequestHead
    ) throws(HTTPError) -> ByteCount {
        guard let text = head.fields[name] else { throw HTTPError(400, "\(name) is missing") }
        guard let count = ByteCount(decimalDigits: text) else {
            throw HTTPError(400, "“\(text)” is no \(name)")
        }
        return count
    }

    private static func object(of head: HTTPRequestHead) throws(HTTPError) -> String {
        let pairs = (head.fields["Upload-Metadata"] ?? "").split(separator: ",")
        for pair in pairs {
            let words = pair.split(separator: " ")
            guard words.first == "filename", words.count == 2 else { continue }
            guard let bytes = Base64.decode(String(words[1])),
                let name = String(validating: bytes, as: UTF8.self)
            else { throw HTTPError(400, "the filename in Upload-Metadata is not Base64 of UTF-8") }
            return name
        }
        throw HTTPError(400, "Upload-Metadata names no filename")
    }
}
