import Quantities

/// A client's request to open a session of the paced transport, and its question afterwards whether
/// any packet of it has arrived.
package enum PacedRequest: Hashable, Sendable {
    /// Rates are the client's wishes for both directions.
    case open(PacedSettings, PacedNonce, hasChannels: Bool)
    case ask(session: UInt64)

    package static let target = "/paced"

    package var resource: String {
        switch self {
        case .open: Self.target
        case .ask(let session): "\(Self.target)/\(session.hexDigits)"
        }
    }

    package func head(host: String) -> HTTPRequestHead {
        switch self {
        case .open(let settings, let nonce, let hasChannels):
            HTTPRequestHead(
                "POST", resource,
                [("Host", host), ("Content-Length", "0"), (PacedNonce.field, nonce.text)]
                    + Self.fields(of: settings) + PacedChannels.fields(hasChannels))
        case .ask: HTTPRequestHead("GET", resource, [("Host", host)])
        }
    }

    private static let policy = "Paced-Policy"
    private static let targetRate = "Paced-Target"
    private static let minimumRate = "Paced-Minimum"

    private static func fields(of settings: PacedSettings) -> [(String, String)] {
        [
            (policy, settings.policy.rawValue),
            (targetRate, "\(settings.target.bitsPerSecond)"),
            (minimumRate, "\(settings.minimum.bitsPerSecond)"),
        ]
    }

    /// Reads the rates that a client asks for.
    package static func settings(
        parsing head: HTTPRequestHead
    ) throws(HTTPError) -> PacedSettings {
        let policy = head.fields[policy].map { PacedPolicy(rawValue: $0) } ?? .fair
        guard let policy else {
            throw HTTPError(400, "\(Self.policy) is fixed, high, fair or low")
        }
        let target = try rate(targetRate, of: head) ?? PacedSettings.highestTarget
        let minimum = try rate(minimumRate, of: head) ?? PacedSettings.lowestMinimum
        return PacedSettings(policy: policy, target: target, minimum: minimum)
    }

    /// Reads the client's nonce.
    package static func nonce(parsing head: HTTPRequestHead) throws(HTTPError) -> PacedNonce {
        guard let nonce = head.fields[PacedNonce.field].flatMap({ PacedNonce($0) }) else {
            throw HTTPError(400, "\(PacedNonce.field) is thirty-two hexadecimal digits")
        }
        return nonce
    }

    private static func rate(
        _ name: String, of head: HTTPRequestHead
    ) throws(HTTPError) -> Bitrate? {
        guard let text = head.fields[name] else { return nil }
        guard let rate = ByteCount(decimalDigits: text)?.bytes, PacedSettings.rates.contains(rate)
        else {
            throw HTTPError(
                400,
                "\(name) is a number of bits per second, at most "
                    + "\(PacedSettings.highestTarget.bitsPerSecond)")
        }
        return Bitrate(bitsPerSecond: rate)
    }
}

/// A session that a server has opened, for one client.
package struct PacedGrant: Hashable, Sendable {
    package var session: UInt64
    /// The UDP port to which the client sends.
    package var port: UInt16
    /// The server's nonce.
    package var nonce: PacedNonce
    /// Whether the session's stream is one of channels.
    package var hasChannels: Bool

    package init(session: UInt64, port: UInt16, nonce: PacedNonce, hasChannels: Bool) {
        self.session = session
        self.port = port
        self.nonce = nonce
        self.hasChannels = hasChannels
    }

    private static let sessionField = "Paced-Session"
    private static let portField = "Paced-Port"

    /// Reads the answer to a request to open a session.
    package init?(parsing head: HTTPResponseHead) {
        guard head.status == 201, let text = head.fields[Self.sessionField],
            let session = UInt64(hexDigits: text), let port = head.fields[Self.portField],
            let port = UInt16(port), port > 0,
            let nonce = head.fields[PacedNonce.field].flatMap({ PacedNonce($0) })
        else { return nil }
        self.init(
            session: session, port: port, nonce: nonce,
            hasChannels: PacedChannels.isWanted(by: head.fields))
    }

    package var fields: [(String, String)] {
        [
            (Self.sessionField, session.hexDigits), (Self.portField, "\(port)"),
            (PacedNonce.field, nonce.text),
        ] + PacedChannels.fields(hasChannels)
    }

    /// Reads the name of a session.
    package static func session(_ name: String) -> UInt64? { UInt64(hexDigits: name) }
}

extension PacedChannels {
    private static let field = "Paced-Channels"

    /// Fields by which a client asks for channels, or a server grants them.
    fileprivate static func fields(_ hasChannels: Bool) -> [(String, String)] {
        hasChannels ? [(field, "?1")] : []
    }

    package static func isWanted(by fields: HTTPFields) -> Bool { fields[field] == "?1" }
}

/// What a server says of a session that it has opened.
package enum PacedNews {
    private static let field = "Paced-Heard"

    package static func fields(hasHeard: Bool) -> [(String, String)] {
        [(field, hasHeard ? "?1" : "?0")]
    }

    /// Whether a packet of the session has arrived; `nil` if the server does not say.
    package static func hasHeard(parsing head: HTTPResponseHead) -> Bool? {
        guard head.status == 200 else { return nil }
        switch head.fields[field] {
        case "?1": return true
        case "?0": return false
        default: return nil
        }
    }
}
