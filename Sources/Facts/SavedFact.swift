/// What an app has saved outside its transfer queue: accounts and sessions (behaviour A9, A10).
package enum SavedFact: Hashable, Sendable, Codable {
    case account(AccountName, SavedAccount)
    case accountDeleted(AccountName)
    /// A session of the queue uses this account.
    case belongs(ItemName, to: AccountName)
    /// A session is saved without being in the queue.
    case session(ItemName, of: AccountName, [AcceptedTransfer])
    case sessionDeleted(ItemName)
    /// A launch found exactly these.
    case holds(accounts: [AccountName], sessions: [ItemName])

    // The names in `events.jsonl`, also of values without a label.
    private enum CodingKeys: CodingKey, CaseIterable {
        case account, accountDeleted, belongs, session, sessionDeleted, holds
    }
    private enum AccountCodingKeys: String, CodingKey { case _0 = "account", _1 = "as" }
    private enum AccountDeletedCodingKeys: String, CodingKey { case _0 = "account" }
    private enum BelongsCodingKeys: String, CodingKey { case _0 = "session", to }
    private enum SessionCodingKeys: String, CodingKey {
        case _0 = "session", of, _2 = "transfers"
    }
    private enum SessionDeletedCodingKeys: String, CodingKey { case _0 = "session" }

    package var sentence: String {
        switch self {
        case .account(let account, let saved): "\(account) is saved: \(saved.sentence)"
        case .accountDeleted(let account): "\(account) is deleted"
        case .belongs(let session, let account): "\(session) goes by \(account)"
        case .session(let session, let account, let transfers):
            "\(session) is saved, for \(account) and in no queue: "
                + transfers.sentence
        case .sessionDeleted(let session): "\(session), which was saved, is deleted"
        case .holds(let accounts, let sessions):
            "there are \(accounts.isEmpty ? "no account" : accounts.listed)"
                + (sessions.isEmpty ? "" : "; saved, and in no queue, \(sessions.listed)")
        }
    }
}

/// The name of an account; each app counts its accounts from 1.
package struct AccountName: Hashable, Sendable, Codable, CustomStringConvertible {
    package var number: UInt64
    package init(_ number: UInt64) { self.number = number }

    package var description: String { "account \(number)" }

    package init(from decoder: any Decoder) throws {
        number = try decoder.singleValueContainer().decode(UInt64.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }
}

/// An account as its app has saved it. Credentials are known only by their name, and the server's
/// address only from the connections to it.
package struct SavedAccount: Hashable, Sendable, Codable {
    package var name: String
    package var credentials: String
    /// The folder below the docroot; empty is the docroot itself.
    package var folder: String

    package init(name: String, credentials: String, folder: String) {
        self.name = name
        self.credentials = credentials
        self.folder = folder
    }

    var sentence: String {
        (name.isEmpty ? "" : "“\(name)”, ") + "credentials “\(credentials)”"
            + (folder.isEmpty ? "" : ", in \(folder)")
    }
}
