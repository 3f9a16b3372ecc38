package import Quantities

/// What a client asks for an upload by a signed address: the address, and then its use.
package enum OnceRequest: Hashable, Sendable {
    /// The object is relative to the docroot.
    case sign(object: String)
    /// The key tells the server that it is the same upload again.
    case put(address: String, length: ByteCount, key: String)

    package var target: String {
        switch self {
        case .sign(let object): "/once/" + PercentCoding.encode(object)
        case .put(let address, _, _): address
        }
    }

    /// What it is about, whatever address was signed for it.
    package var resource: String { String(target.prefix { $0 != "?" }) }

    package func head(host: String) -> HTTPRequestHead {
        switch self {
        case .sign:
            HTTPRequestHead(
                "POST", target, fields: HTTPFields([("Host", host), ("Content-Length", "0")]))
        case .put(_, let length, let key):
            HTTPRequestHead(
                "PUT", target,
                fields: HTTPFields([
                    ("Host", host), ("Content-Length", "\(length.bytes)"),
                    ("Idempotency-Key", key),
                ]))
        }
    }
}
