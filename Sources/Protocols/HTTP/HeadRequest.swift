package import Quantities

/// A client's question for the state of an object before it overwrites or reads it (RFC 9110
/// §9.3.2).
package struct HeadRequest: Hashable, Sendable {
    /// The object's path, relative to the docroot.
    private let object: String

    package init(object: String) { self.object = object }

    package var target: String { "/dav/" + PercentCoding.encode(object) }

    package func head(host: String) -> HTTPRequestHead {
        HTTPRequestHead("HEAD", target, [("Host", host), ReprDigest.wanted])
    }
}

/// A server's answer to a HEAD.
package enum HeadResponse: Hashable, Sendable {
    case stands(ObjectState)
    case missing
    case refused(status: Int)

    package init(parsing head: HTTPResponseHead) {
        switch head.status {
        case 200..<300: self = .stands(ObjectState(of: head))
        case 404, 410: self = .missing
        default: self = .refused(status: head.status)
        }
    }
}

/// The state of an object as told without reading it. A server may omit any part.
package struct ObjectState: Hashable, Sendable {
    package var size: ByteCount?
    /// Seconds since 1970.
    package var modified: UInt64?
    package var digest: ReprDigest?

    package init(size: ByteCount?, modified: UInt64?, digest: ReprDigest?) {
        self.size = size
        self.modified = modified
        self.digest = digest
    }

    fileprivate init(of head: HTTPResponseHead) {
        self.init(
            size: head.fields["Content-Length"].flatMap { ByteCount(decimalDigits: $0) },
            modified: head.fields["Last-Modified"].flatMap(HTTPDate.seconds),
            digest: ReprDigest(of: head))
    }
}
