package import Quantities

/// A transport connection of the app and its requests.
package enum ConnectionFact: Hashable, Sendable, Codable {
    /// `by` is the item that the engine opens the connection for.
    case opening(ConnectionName, to: String, by: ItemName? = nil)
    /// TCP is connected, and the TLS handshake begins.
    case securing(ConnectionName, with: String)
    /// The interface of the connection, recorded only if the phone has several.
    case bound(ConnectionName, interface: UInt16)
    /// An attempt to reach an address, recorded only if the phone had to ask for it; `flow` is its
    /// number in packet records.
    case attempt(ConnectionName, over: AddressFamily, interface: UInt16, flow: UInt16)
    /// An attempt came to nothing: it failed, or another was faster.
    case attemptEnded(ConnectionName, over: AddressFamily, why: ConnectionEnd)
    case established(ConnectionName)
    case request(ConnectionName, method: String, target: String)
    case response(ConnectionName, status: Int, retryAfter: RetryAfter? = nil)
    /// `transmitted` counts stream bytes without retransmissions.
    case ended(ConnectionName, why: ConnectionEnd, transmitted: ByteCount)

    // The names in `events.jsonl`, also of values without a label.
    private enum CodingKeys: CodingKey, CaseIterable {
        case opening, securing, bound, attempt, attemptEnded, established, request, response
        case ended
    }
    private enum OpeningCodingKeys: String, CodingKey { case _0 = "connection", to, by }
    private enum SecuringCodingKeys: String, CodingKey { case _0 = "connection", with }
    private enum BoundCodingKeys: String, CodingKey { case _0 = "connection", interface }
    private enum AttemptCodingKeys: String, CodingKey {
        case _0 = "connection", over, interface, flow
    }
    private enum AttemptEndedCodingKeys: String, CodingKey { case _0 = "connection", over, why }
    private enum EstablishedCodingKeys: String, CodingKey { case _0 = "connection" }
    private enum RequestCodingKeys: String, CodingKey { case _0 = "connection", method, target }
    private enum ResponseCodingKeys: String, CodingKey {
        case _0 = "connection", status, retryAfter
    }
    private enum EndedCodingKeys: String, CodingKey { case _0 = "connection", why, transmitted }

    package var sentence: String {
        switch self {
        case .opening(let connection, let peer, let item):
            "\(connection) opens to \(peer)" + (item.map { " for \($0)" } ?? "")
        case .securing(let connection, let security): "\(connection) begins \(security)"
        case .bound(let connection, let interface): "\(connection) is on interface \(interface)"
        case .attempt(let connection, let family, let interface, let flow):
            "\(connection) tries \(family.name) over interface \(interface), as flow \(flow)"
        case .attemptEnded(let connection, let family, let why):
            "\(connection) gets nowhere by \(family.name): \(why.sentence)"
        case .established(let connection): "\(connection) is established"
        case .request(let connection, let method, let target):
            "\(connection) asks \(method) \(target)"
        case .response(let connection, let status, let retryAfter):
            "\(connection) is answered \(status)"
                + (retryAfter.map { ", with Retry-After: \($0.field)" } ?? "")
        case .ended(let connection, let why, let transmitted):
            "\(connection) ends, \(why.sentence), after sending \(transmitted)"
        }
    }
}

/// A pause that a server asked for, as it came: what it means is up to the reader.
package struct RetryAfter: Hashable, Sendable, Codable {
    /// A number of seconds, or a date.
    package var field: String
    /// The answer's own date, to which a date is relative.
    package var date: String?

    package init(field: String, date: String? = nil) {
        self.field = field
        self.date = date
    }
}

package enum ConnectionEnd: String, Hashable, Sendable, Codable, CaseIterable {
    case closed, refused, reset, timedOut, processDied
    /// The phone learnt no address of the server.
    case notFound
    /// The phone does not trust the server's certificate.
    case untrusted
    /// The phone's interface lost its network.
    case networkLost
    /// The phone gave it up while something was on its way.
    case aborted

    package var sentence: String {
        switch self {
        case .closed: "closed in order"
        case .refused: "refused"
        case .reset: "reset by the peer"
        case .timedOut: "timed out"
        case .processDied: "its process died"
        case .notFound: "its server was not found"
        case .untrusted: "its server's certificate is not trusted"
        case .networkLost: "its network is gone"
        case .aborted: "aborted by the phone"
        }
    }
}
