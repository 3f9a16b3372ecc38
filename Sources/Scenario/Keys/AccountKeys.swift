import RunPlan

/// The key `accounts`: accounts for queue sessions, by name (A9, A10).
enum AccountKeys {
    static let name = "accounts"
    static let shape = Shape.mapping(
        of: OtherAppKeys.nameShape, to: .either([.path, table.shape]))

    static func read(_ node: YAMLNode, draft: inout ScenarioDraft) {
        let expectation = "a name for each account, with its folder, such as “studio: films/studio”"
        guard let pairs = node.pairs(expected: expectation) else { return }
        for (key, value) in pairs {
            guard let name = key.plainName(), let account = account(name, value) else { continue }
            draft.app.accounts.append(account)
            if let secret = account.secret {
                draft.signIns.append(PlacedSignIn(secret: secret, node: value))
            }
        }
    }

    private static func account(_ name: String, _ node: YAMLNode) -> PlannedAccount? {
        guard case .mapping = node.content else {
            return node.destination().map { PlannedAccount(name: name, folder: $0) }
        }
        var draft = Draft()
        table.read(node, into: &draft)
        var account = PlannedAccount(name: name, folder: draft.folder, port: draft.port)
        if !draft.identity.given.isEmpty {
            guard let secret = draft.identity.secret(at: node) else { return nil }
            account.secret = secret
        }
        return account
    }

    private struct Draft {
        var folder = ""
        var port: UInt16?
        var identity = IdentityKeys.Draft()
    }

    private static let table = KeyTable<Draft>(
        name: "an account",
        keys: [
            .optional(
                "folder", .path,
                "where its paths begin, below what the user sees; by default there",
                example: "films/studio"
            ) { node, draft in
                if let folder = node.destination() { draft.folder = folder }
            },
            .optional(
                "port", .number, "the server’s port; by default the one on which it listens",
                example: "8080"
            ) { node, draft in
                draft.port = node.count(in: 1...65_535, "a port from 1 to 65535").map { UInt16($0) }
            },
        ] + KeyTable<IdentityKeys.Draft>.keys(IdentityKeys.keys, of: \.identity))

    static let command = Phrase<AppPlan.Command>(
        "delete account NAME", "the queue refuses while a session refers to the account"
    ) { holes, draft in
        holes[0].account(among: draft.app.accounts).map { .deleteAccount($0.name) }
    }
}

extension PlacedText {
    /// Returns an account by its name.
    func account(among accounts: [PlannedAccount]) -> PlannedAccount? {
        let names = accounts.map(\.name)
        return accounts.first { $0.name == text }
            ?? refuse(
                "there is no account “\(text)”",
                expected: names.isEmpty
                    ? "a name under “\(AccountKeys.name)”" : "one of \(names.list)",
                among: names)
    }
}

extension PlannedAccount {
    var sentence: String {
        let place = folder.isEmpty ? "at the docroot" : "in \(folder), below the docroot"
        let port = port.map { ", on port \($0)" } ?? ""
        let identity = secret.map { ", and \($0.sentence)" } ?? ""
        return "The account “\(name)” has its paths \(place)\(port)\(identity)."
    }
}

extension PlannedSession {
    /// The session's account and its time of enqueuing, where not the default.
    var beginningClause: String {
        let account = account.map { ", by the account “\($0.name)”" } ?? ""
        return switch beginning {
        case .enqueued: account
        case .saved: account + ", and is only saved at first"
        case .refused: account + ", which the queue has to refuse"
        case .made: account + ", and is only made at first, and not even saved"
        }
    }
}
