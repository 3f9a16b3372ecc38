/// What proves to a server who asks. It never shows what it holds, not even in a debugger's output.
public enum Secret: Hashable, Sendable, Codable {
    case password(user: String, String)
    /// A bearer token that somebody else renews.
    case token(String)
    /// A name and a password for which the server gives bearer tokens (RFC 6749 §4.4).
    case tokens(user: String, password: String)
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String {
        switch self {
        case .password(let user, _): "the password of \(user)"
        case .token: "a token"
        case .tokens(let user, _): "tokens for the password of \(user)"
        }
    }

    public var debugDescription: String { description }

    public var customMirror: Mirror { Mirror(self, children: []) }
}
