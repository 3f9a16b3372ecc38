package import Quantities

/// A transport connection of the app, and the requests on it.
package enum ConnectionFact: Hashable, Sendable, Codable {
    /// `by` is the item for which the engine opens it.
    case opening(ConnectionName, to: String, by: ItemName? = nil)
    /// TCP's handshake is over, and that of TLS begins.
    case securing(ConnectionName, with: String)
    /// It is on this interface, for good; said only where there is a choice.
    case bound(ConnectionName, interface: UInt16)
    case established(ConnectionName)
    case request(ConnectionName, method: String, target: String)
    /// `retryAfter` is how long the server asked to be left alone, if it did.
    case response(ConnectionName, status: Int, retryAfter: TimeSpan? = nil)
    /// The connection is over. `transmitted` counts the stream bytes that left for the first time.
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
    /// The phone's own way into the network is gone.
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
