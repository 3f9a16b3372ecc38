import RunPlan

/// The key `accounts`: accounts for queue sessions, by name (A9, A10).
enum AccountKeys {
    static let name = "accounts"
    static let shape = Shape.mapping(of: OtherAppKeys.nameShape, to: .path)

    static func read(_ node: YAMLNode, draft: inout ScenarioDraft, mistakes: inout Mistakes) {
        let expectation = "a name for each account, with its folder, such as “studio: films/studio”"
        guard let pairs = mistakes.pairs(of: node, expected: expectation) else { return }
        for (key, value) in pairs {
            let folder = mistakes.destination(value)
            guard let name = OtherAppKeys.name(key, mistakes: &mistakes), let folder else {
                continue
            }
            draft.app.accounts.append(PlannedAccount(name: name, folder: folder))
        }
    }

    // MARK: Who speaks of them

    /// Returns an account of this app by its name.
    static func account(
        _ words: PlacedText, among accounts: [PlannedAccount], _ mistakes: inout Mistakes
    ) -> PlannedAccount? {
        if let account = accounts.first(where: { $0.name == words.text }) { return account }
        let names = accounts.map(\.name)
        mistakes.add(
            "there is no account “\(words.text)”", at: words.place,
            expected: names.isEmpty
                ? "a name under “\(name)”" : "one of \(names.list)",
            suggestion: Spelling.nearest(to: words.text, among: names).map { "“\($0)”" })
        return nil
    }

    static let command = Phrase<AppPlan.Command>(
        "delete account NAME", "the queue refuses while a session refers to the account"
    ) { holes, draft, mistakes in
        account(holes[0], among: draft.app.accounts, &mistakes).map { .deleteAccount($0.name) }
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
        case .made: account + ", and is only made at first, and not even saved"
        }
    }
}
