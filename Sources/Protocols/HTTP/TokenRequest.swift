/// A client's request for a bearer token, by its name and password (RFC 6749 §4.4).
package struct TokenRequest: Hashable, Sendable {
    package static let target = "/token"
    package static let body = Array("grant_type=client_credentials".utf8)

    package init() {}

    /// The head without the field that says who asks.
    package func head(host: String) -> HTTPRequestHead {
        HTTPRequestHead(
            "POST", Self.target,
            [
                ("Host", host), ("Accept", "application/json"),
                ("Content-Type", "application/x-www-form-urlencoded"),
                ("Content-Length", "\(Self.body.count)"),
            ])
    }
}
