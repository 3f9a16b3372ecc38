import RunPlan
import TransferClient

/// How an app proves who it is: the key `sign-in`, and keys of an account.
enum IdentityKeys {
    static let name = "sign-in"
    static let example = "{ user: ada, password: engine }"
    static var shape: Shape { table.shape }

    static func read(_ node: YAMLNode, draft: inout ScenarioDraft) {
        var identity = Draft()
        table.read(node, into: &identity)
        guard let secret = identity.secret(at: node) else { return }
        draft.app.signIn = secret
        draft.signIns.append(PlacedSignIn(secret: secret, node: node))
    }

    /// The words under the key, as they come.
    struct Draft {
        var user: String?
        var password: String?
        var token: String?
        var asksForTokens = false
        /// Keys that were given, readable or not.
        var given: Set<String> = []

        /// Returns what the words mean; `nil` after a mistake.
        func secret(at node: YAMLNode) -> Secret? {
            let pair: Set<String> = ["user", "password"]
            if given == ["token"] { return token.map { .token($0) } }
            guard given.subtracting(["tokens"]) == pair else {
                return node.refuse(
                    "this does not say how the app proves who it is",
                    expected: "“user: ada” with “password: engine”, or “token: t0” alone")
            }
            guard let user, let password else { return nil }
            return asksForTokens
                ? .tokens(user: user, password: password) : .password(user: user, password)
        }
    }

    static let keys: [KeyTable<Draft>.Key] = [
        .optional("user", .text, "the name of one of the server’s `accounts`", example: "ada") {
            node, draft in
            draft.given.insert("user")
            draft.user = node.text(expected: "a name such as ada").flatMap { words in
                words.text.contains(":")
                    ? words.refuse("a name has no colon (RFC 7617)", expected: "a name such as ada")
                    : words.text
            }
        },
        .optional("password", .text, "what it signs in with", example: "engine") { node, draft in
            draft.given.insert("password")
            draft.password = node.text(expected: "a password")?.text
        },
        .optional(
            "tokens", YesOrNo.shape,
            "`yes`: requests carry bearer tokens, for which the password is exchanged at `/token`; "
                + "the account of the server needs `tokens-last`"
        ) { node, draft in
            draft.given.insert("tokens")
            if let choice = node.yesOrNo() { draft.asksForTokens = choice }
        },
        .optional(
            "token", .text, "a bearer token that nobody renews, instead of a name and a password",
            example: "t0"
        ) { node, draft in
            draft.given.insert("token")
            draft.token = node.bearerToken()
        },
    ]

    private static let table = KeyTable<Draft>(name: "“\(name)”", keys: keys)

    static let commands: [Phrase<AppPlan.Command>] = [
        Phrase(
            "sign in with PASSWORD",
            "the app gives another password for its name: what was rejected may be good now"
        ) { holes, draft in
            guard draft.app.signIn?.user != nil else {
                return holes[0].refuse(
                    "the app has no name to sign in with",
                    expected: "“\(name): \(example)” beside its queue")
            }
            return .signIn(account: nil, password: holes[0].text)
        },
        Phrase("sign in to account NAME with PASSWORD") { holes, draft in
            guard let account = holes[0].account(among: draft.app.accounts) else { return nil }
            guard account.secret?.user != nil else {
                return holes[0].refuse(
                    "the account “\(account.name)” has no user",
                    expected: "“\(account.name): { folder: …, user: ada, password: engine }”")
            }
            return .signIn(account: account.name, password: holes[1].text)
        },
    ]
}

extension YAMLNode {
    /// Reads a bearer token, which stands in a field of a request (RFC 6750 §2.1).
    func bearerToken() -> String? {
        let expectation = "a token such as t0"
        guard let words = text(expected: expectation) else { return nil }
        guard words.text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            return words.refuse(
                "a token has no blanks, and no letters beyond ASCII", expected: expectation)
        }
        return words.text
    }
}

extension Secret {
    /// How an app proves who it is, in plain words and without the secret.
    var sentence: String {
        switch self {
        case .password(let user, _): "signs in as \(user), with a password"
        case .token: "signs in with a token that nobody renews"
        case .tokens(let user, _): "signs in as \(user), and exchanges its password for tokens"
        }
    }
}
