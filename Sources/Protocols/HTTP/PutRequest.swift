package import Quantities

/// A client's request to store a whole object (RFC 9110 §9.3.4), under a key by which the server
/// recognises a repetition.
package struct PutRequest: Hashable, Sendable {
    /// The object's path, relative to the docroot.
    private let object: String
    private let length: ByteCount
    private let key: String

    package init(object: String, length: ByteCount, key: String) {
        self.object = object
        self.length = length
        self.key = key
    }

    package var target: String { "/dav/" + PercentCoding.encode(object) }

    package func head(host: String) -> HTTPRequestHead {
        HTTPRequestHead(
            "PUT", target,
            [("Host", host), ("Content-Length", "\(length.bytes)"), ("Idempotency-Key", key)])
    }
}
