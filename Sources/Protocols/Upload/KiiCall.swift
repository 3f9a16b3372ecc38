package import Quantities

/// A client's request for an object's body in Kii's way (behaviour K12); `KiiRequest` is the
/// server's view of it.
package struct KiiCall: Hashable, Sendable {
    /// `app/buckets/…/objects/…`, the path of the body below the docroot.
    package var object: String
    package var request: KiiRequest

    /// The size of a chunk. Suspending takes effect between two chunks (K3).
    package static let chunk = ByteCount(512 * 1024)

    package init(_ request: KiiRequest, of object: String) {
        self.object = object
        self.request = request
    }

    package var target: String {
        let body = Self.body(of: object)
        return switch request {
        case .read, .put, .delete: body
        case .start: "\(body)/uploads"
        case .offset(let upload): "\(body)/uploads/\(upload)"
        case .append(let upload, _): "\(body)/uploads/\(upload)/data"
        case .commit(let upload): "\(body)/uploads/\(upload)/status/committed"
        case .cancel(let upload): "\(body)/uploads/\(upload)/status/cancelled"
        }
    }

    package static func body(of object: String) -> String {
        "/api/apps/\(PercentCoding.encode(object))/body"
    }

    package func head(host: String) -> HTTPRequestHead {
        var fields = [("Host", host)]
        let method: String
        switch request {
        case .read, .offset: method = "GET"
        case .delete: method = "DELETE"
        case .put: method = "PUT"
        case .start, .commit, .cancel:
            method = "POST"
            fields.append(("Content-Length", "0"))
        case .append(_, let chunk):
            method = "PUT"
            let last = chunk.offset + chunk.length - ByteCount(1)
            let range = "bytes=\(chunk.offset.bytes)-\(last.bytes)/\(chunk.total.bytes)"
            fields += [("Content-Length", "\(chunk.length.bytes)"), ("Content-Range", range)]
        }
        return HTTPRequestHead(method, target, fields)
    }

    /// The server's name for the upload or body that the request is about.
    package var resource: String {
        switch request {
        case .read, .put, .delete, .start: Self.body(of: object)
        case .offset(let upload), .append(let upload, _), .commit(let upload), .cancel(let upload):
            Self.resource(of: upload)
        }
    }

    package static func resource(of upload: UInt64) -> String { "\(resources)/\(upload)" }

    package static let resources = "/api/uploads"

    package static func upload(named resource: String) -> UInt64? {
        guard resource.hasPrefix(resources + "/") else { return nil }
        return UInt64(resource.dropFirst(resources.count + 1))
    }
}

/// The state of an upload, from the small JSON objects of the server's answers.
package struct KiiUploadAnswer: Hashable, Sendable {
    package var upload: UInt64
    package var received: ByteCount?

    /// Parses `{"uploadID":"7","receivedBytes":50}`; other members are ignored.
    package init(parsing body: [UInt8]) throws(HTTPError) {
        let text = String(decoding: body, as: UTF8.self)
        guard let upload = Self.number(after: "\"uploadID\":", in: text) else {
            throw HTTPError(502, "an answer that should name an upload does not")
        }
        self.upload = upload
        received = Self.number(after: "\"receivedBytes\":", in: text).map { ByteCount($0) }
    }

    private static func number(after key: String, in text: String) -> UInt64? {
        guard let place = text.utf8.firstRange(of: key.utf8) else { return nil }
        let rest = text.utf8[place.upperBound...].drop {
            $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\"")
        }
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return UInt64(String(Substring(digits)))
    }
}
