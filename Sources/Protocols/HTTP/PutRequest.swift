package import Quantities

/// A client's request to store a whole object (RFC 9110 §9.3.4), under a key by which the server
/// recognises a repetition.
package struct PutRequest: Hashable, Sendable {
    /// The object's path, relative to the docroot, or any target.
    private let object: String
    private let length: ByteCount
    private let key: String
    private let extras: RequestExtras

    package init(
        object: String, length: ByteCount, key: String, _ extras: RequestExtras = RequestExtras()
    ) {
        self.object = object
        self.length = length
        self.key = key
        self.extras = extras
    }

    package var target: String { RequestExtras.target(of: object, below: "/dav/") }

    package func head(host: String) -> HTTPRequestHead {
        HTTPRequestHead(
            extras.method ?? "PUT", target,
            [("Host", host), ("Content-Length", "\(length.bytes)"), ("Idempotency-Key", key)]
                + extras.pairs)
    }
}
