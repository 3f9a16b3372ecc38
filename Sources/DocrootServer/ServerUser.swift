import Protocols
package import Quantities

/// A user of the server, with credentials, folder and quota.
package struct ServerUser: Hashable, Sendable {
    package var name: String
    package var password: String?
    package var tokens: [Token]
    /// The folder that the user sees as the root.
    package var docroot: ObjectPath
    package var quota: ByteCount?
    /// How long a token is good that the user asks for; `nil` if there are none to ask for.
    package var tokenLifetime: TimeSpan?

    /// The account in a message to its user.
    var title: String { name.isEmpty ? "the account" : name }

    package struct Token: Hashable, Sendable {
        package var text: String
        /// Seconds since 1970; `nil` means never.
        package var expires: UInt64?

        package init(text: String, expires: UInt64?) {
            self.text = text
            self.expires = expires
        }
    }

    package init(
        name: String, password: String?, tokens: [Token], docroot: ObjectPath, quota: ByteCount?,
        tokenLifetime: TimeSpan? = nil
    ) {
        self.tokenLifetime = tokenLifetime
        self.name = name
        self.password = password
        self.tokens = tokens
        self.docroot = docroot
        self.quota = quota
    }
}

extension ServerSettings {
    /// Returns the account of a request; `nil` if there are no accounts and everybody may do
    /// everything.
    func account(of head: HTTPRequestHead, at wallClock: UInt64) throws(HTTPError) -> ServerUser? {
        guard !accounts.isEmpty else { return nil }
        guard let field = head.fields["Authorization"] else {
            throw Self.unauthorised("who are you?")
        }
        let words = field.split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2 else { throw Self.unauthorised("“Authorization” is unreadable") }
        switch words[0].lowercased() {
        case "basic": return try account(basic: words[1])
        case "bearer": return try account(bearer: words[1], at: wallClock)
        default: throw Self.unauthorised("“\(words[0])” is no scheme that is known here")
        }
    }

    /// Returns the account of a request for a token: only a name and a password bring one.
    func accountForToken(of head: HTTPRequestHead) throws(HTTPError) -> ServerUser? {
        let words = head.fields["Authorization"]?.split(separator: " ", maxSplits: 1) ?? []
        guard words.count == 2, words[0].lowercased() == "basic" else {
            throw Self.unauthorised("a token is given for a name and a password")
        }
        return try account(basic: String(words[1]))
    }

    private func account(basic text: String) throws(HTTPError) -> ServerUser {
        let pair = Base64.decode(text).flatMap { String(validating: $0, as: UTF8.self) }
        let words = (pair ?? "").split(
            separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard words.count == 2,
            let account = accounts.first(where: { $0.name == words[0] }),
            let password = account.password, Self.isSame(password, String(words[1]))
        else { throw Self.unauthorised("the name or the password is wrong") }
        return account
    }

    private func account(
        bearer text: String, at wallClock: UInt64
    ) throws(HTTPError) -> ServerUser {
        if let token = BearerToken(text, signedBy: signingKey),
            let account = accounts.first(where: { $0.name == token.user }),
            account.tokenLifetime != nil
        {
            guard wallClock < token.expires else { throw Self.expired }
            return account
        }
        for account in accounts {
            for token in account.tokens where Self.isSame(token.text, text) {
                if let expires = token.expires, expires <= wallClock {
                    throw Self.expired
                }
                return account
            }
        }
        throw Self.unauthorised(
            "the token is unknown",
            challenge: "Bearer realm=\"TransferLab\", error=\"invalid_token\"")
    }

    static let expired = unauthorised(
        "the token has expired",
        challenge: "Bearer realm=\"TransferLab\", error=\"invalid_token\", "
            + "error_description=\"it has expired\"")

    private static func unauthorised(
        _ reason: String, challenge: String = "Basic realm=\"TransferLab\", charset=\"UTF-8\""
    ) -> HTTPError {
        HTTPError(401, reason, fields: [("WWW-Authenticate", challenge)])
    }

    /// Compares in constant time, so that the time tells nothing of the secret.
    static func isSame(_ secret: String, _ offered: String) -> Bool {
        var difference = secret.utf8.count ^ offered.utf8.count
        for (a, b) in zip(secret.utf8, offered.utf8) { difference |= Int(a ^ b) }
        return difference == 0
    }
}
