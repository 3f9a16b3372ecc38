package import Quantities

/// A transport connection of the app and its requests.
package enum ConnectionFact: Hashable, Sendable, Codable {
    /// `by` is the item that the engine opens the connection for.
    case opening(ConnectionName, to: String, by: ItemName? = nil)
    /// TCP is connected, and the TLS handshake begins.
    case securing(ConnectionName, with: String)
    /// The interface of the connection, recorded only if the phone has several.
    case bound(ConnectionName, interface: UInt16)
    case established(ConnectionName)
    case request(ConnectionName, method: String, target: String)
    /// `retryAfter` is the pause that the server asked for, if any.
    case response(ConnectionName, status: Int, retryAfter: TimeSpan? = nil)
    /// `transmitted` counts stream bytes without retransmissions.
    case ended(ConnectionName, why: ConnectionEnd, transmitted: ByteCount)

    // The names that values without a label have in `events.jsonl`.
    private enum OpeningCodingKeys: String, CodingKey { case _0 = "connection", to, by }
    private enum SecuringCodingKeys: String, CodingKey { case _0 = "connection", with }
    private enum BoundCodingKeys: String, CodingKey { case _0 = "connection", interface }
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
        case .established(let connection): "\(connection) is established"
        case .request(let connection, let method, let target):
            "\(connection) asks \(method) \(target)"
        case .response(let connection, let status, let retryAfter):
            "\(connection) is answered \(status)"
                + (retryAfter.map { ", and asked to wait for \($0)" } ?? "")
        case .ended(let connection, let why, let transmitted):
            "\(connection) ends, \(why.sentence), after sending \(transmitted)"
        }
    }
}

package enum ConnectionEnd: String, Hashable, Sendable, Codable {
    case closed, refused, reset, timedOut, processDied
    /// The phone's interface lost its network.
    case networkLost

    package var sentence: String {
        switch self {
        case .closed: "closed in order"
        case .refused: "refused"
        case .reset: "reset by the peer"
        case .timedOut: "timed out"
        case .processDied: "its process died"
        case .networkLost: "its network is gone"
        }
    }
}
