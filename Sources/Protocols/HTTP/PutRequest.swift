package import Quantities

/// What a client asks that puts a whole object in its place (RFC 9110 §9.3.4), under a key that
/// tells the server that it is the same request again.
package struct PutRequest: Hashable, Sendable {
    /// Relative to the docroot.
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
            fields: HTTPFields([
                ("Host", host), ("Content-Length", "\(length.bytes)"), ("Idempotency-Key", key),
            ]))
    }
}
