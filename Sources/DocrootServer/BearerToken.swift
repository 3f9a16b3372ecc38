import Facts
import Protocols
import Quantities

/// A bearer token that the server issues: a user, when it was issued and until when it is good, all
/// signed. The server keeps nothing of it, so that a restart takes no token away.
struct BearerToken: Hashable, Sendable {
    let user: String
    /// Nanoseconds since the server's start, which tell two tokens of a user apart.
    let issued: UInt64
    /// Seconds since 1970.
    let expires: UInt64

    private static let mark = "tl1"

    init(user: String, issued: UInt64, expires: UInt64) {
        self.user = user
        self.issued = issued
        self.expires = expires
    }

    /// Reads a token; `nil` if it is none of this server.
    init?(_ text: String, signedBy key: [UInt8]) {
        let words = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard words.count == 5, words[0] == Self.mark, let name = Base64.decode(words[1]),
            let user = String(validating: name, as: UTF8.self),
            let issued = UInt64(words[2]), let expires = UInt64(words[3])
        else { return nil }
        self.init(user: user, issued: issued, expires: expires)
        guard ServerSettings.isSame(signature(by: key), words[4]) else { return nil }
    }

    func text(signedBy key: [UInt8]) -> String {
        "\(content).\(signature(by: key))"
    }

    private var content: String {
        "\(Self.mark).\(Base64.encode(Array(user.utf8))).\(issued).\(expires)"
    }

    private func signature(by key: [UInt8]) -> String {
        Digest.signature(of: "token\n\(content)", by: key)
    }
}

/// `/token`: a bearer token for a name and a password (RFC 6749 §4.4).
extension DocrootServer {
    mutating func beginToken(
        _ head: HTTPRequestHead, on id: ServerConnectionID
    ) throws(HTTPError) {
        guard head.method == "POST" else {
            throw HTTPError(405, "POST asks for a token", fields: [("Allow", "POST")])
        }
        exchanges[id]?.state = .gathering(.tokenRequest, [])
    }

    mutating func issueToken(
        askedBy body: [UInt8], on id: ServerConnectionID
    ) throws(HTTPError) {
        guard body == TokenRequest.body else {
            throw HTTPError(400, "a token is asked for with grant_type=client_credentials")
        }
        guard let account = exchanges[id]?.account, let lifetime = account.tokenLifetime else {
            throw HTTPError(400, "there are no tokens here for who asks")
        }
        let expires = settings.wallClock(at: now + lifetime)
        let token = BearerToken(user: account.name, issued: now.nanoseconds, expires: expires)
        note(.tokenIssued(user: account.name, token: Self.name(of: token)))
        let seconds = expires - min(expires, settings.wallClock(at: now))
        let text =
            "{\"access_token\":\"\(token.text(signedBy: settings.signingKey))\","
            + "\"token_type\":\"Bearer\",\"expires_in\":\(seconds)}"
        respond(
            Answer(200, [("Cache-Control", "no-store")], type: Answer.json, text: text), on: id)
    }

    /// Notes whose credential is refused, without the secret.
    mutating func noteRefusedCredential(on id: ServerConnectionID) {
        guard let head = exchanges[id]?.head,
            let words = head.fields["Authorization"]?.split(separator: " ", maxSplits: 1),
            words.count == 2
        else { return }
        let text = String(words[1])
        let (user, token): (String?, String?) =
            if words[0].lowercased() != "bearer" {
                (Self.name(inBasic: text), nil)
            } else if let token = BearerToken(text, signedBy: settings.signingKey) {
                (token.user, Self.name(of: token))
            } else {
                settings.fixedToken(text)
            }
        note(
            .credentialRefused(
                user: user, token: token, method: head.method, target: head.loggedTarget))
    }

    private static func name(of token: BearerToken) -> String {
        "issued at \(TimeSpan(nanoseconds: Int64(clamping: token.issued)))"
    }

    private static func name(inBasic text: String) -> String? {
        let pair = Base64.decode(text).flatMap { String(validating: $0, as: UTF8.self) }
        return pair?.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).first
            .map(String.init)
    }
}

extension ServerSettings {
    /// Returns the user of a token that was made by hand, and the token's name.
    fileprivate func fixedToken(_ text: String) -> (user: String?, token: String?) {
        for account in accounts {
            for (place, token) in account.tokens.enumerated()
            where Self.isSame(token.text, text) {
                return (account.name, "number \(place + 1)")
            }
        }
        return (nil, nil)
    }
}
