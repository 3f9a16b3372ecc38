import RunPlan

/// The key `accounts`: accounts for queue sessions, by name (A9, A10).
enum AccountKeys {
    static let name = "accounts"
    static let shape = Shape.mapping(of: OtherAppKeys.nameShape, to: .path)

    static func read(_ node: YAMLNode, draft: inout ScenarioDraft) {
        let expectation = "a name for each account, with its folder, such as “studio: films/studio”"
        guard let pairs = node.pairs(expected: expectation) else { return }
        for (key, value) in pairs {
            guard let (folder, name) = both(value.destination(), key.plainName()) else { continue }
            draft.app.accounts.append(PlannedAccount(name: name, folder: folder))
        }
    }

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
        "The account “\(name)” has its paths in \(folder), below the docroot."
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
