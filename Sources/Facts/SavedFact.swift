/// What an app has saved for its transfer queue beside what stands in it: accounts, and sessions
/// that are in no queue (behaviour A9, A10).
package enum SavedFact: Hashable, Sendable, Codable {
    case account(AccountName, SavedAccount)
    case accountDeleted(AccountName)
    /// A session that is in the queue from now on goes by this account.
    case belongs(ItemName, to: AccountName)
    /// It is kept, and in no queue.
    case session(ItemName, of: AccountName, [AcceptedTransfer])
    case sessionDeleted(ItemName)
    /// A launch has found these, and no others.
    case holds(accounts: [AccountName], sessions: [ItemName])

    // The names that values without a label have in `events.jsonl`.
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
                + (transfers.isEmpty
                    ? "no file yet"
                    : transfers.map { "\($0.source) to \($0.destination)" }.joined(
                        separator: ", "))
        case .sessionDeleted(let session): "\(session), which was saved, is deleted"
        case .holds(let accounts, let sessions):
            "there are \(Self.list(accounts, "no account"))"
                + (sessions.isEmpty
                    ? "" : "; saved, and in no queue, \(Self.list(sessions, "none"))")
        }
    }

    private static func list(_ names: [some CustomStringConvertible], _ none: String) -> String {
        names.isEmpty ? none : names.map(\.description).joined(separator: ", ")
    }
}

/// An account of an app's queue; each app counts its own from 1.
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

/// An account as its app has saved it. Of the credentials nobody here knows more than their name;
/// where its server is, each world says of the connections to it.
package struct SavedAccount: Hashable, Sendable, Codable {
    package var name: String
    package var credentials: String
    /// Below the docroot; empty is the docroot itself.
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
