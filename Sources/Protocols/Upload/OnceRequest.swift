package import Quantities

/// A client's request for an upload by a signed address: first for the address, then to use it.
package enum OnceRequest: Hashable, Sendable {
    /// The object's path is relative to the docroot.
    case sign(object: String)
    /// The server recognises a repeated upload by the key.
    case put(address: String, length: ByteCount, key: String)

    package var target: String {
        switch self {
        case .sign(let object): "/once/" + PercentCoding.encode(object)
        case .put(let address, _, _): address
        }
    }

    /// The subject of the request, whatever address was signed for it.
    package var resource: String { String(target.prefix { $0 != "?" }) }

    package func head(host: String) -> HTTPRequestHead {
        switch self {
        case .sign:
            HTTPRequestHead("POST", target, [("Host", host), ("Content-Length", "0")])
        case .put(_, let length, let key):
            HTTPRequestHead(
                "PUT", target,
                [("Host", host), ("Content-Length", "\(length.bytes)"), ("Idempotency-Key", key)])
        }
    }
}
