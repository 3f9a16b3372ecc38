package import DocrootServer
import Foundation
import Protocols
import Quantities

/// The users of a server, from a file of JSON.
package enum UsersFile {
    private struct Contents: Decodable {
        var users: [User]
    }

    private struct User: Decodable {
        var name: String
        var password: String?
        var tokens: [Token]?
        var docroot: String?
        var quota: UInt64?
    }

    private struct Token: Decodable {
        var token: String
        var expires: String?
    }

    /// What every file may look like; the help shows it.
    package static let example = """
        {"users": [{"name": "ada", "password": "secret", "docroot": "ada", "quota": 1000000000,
                    "tokens": [{"token": "t0", "expires": "2026-12-31T12:00:00Z"}]}]}
        """

    package static func read(_ path: String) throws(RunFailure) -> [Account] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw RunFailure("cannot read the users in \(path)")
        }
        return try accounts(in: data, path: path)
    }

    static func accounts(in data: Data, path: String) throws(RunFailure) -> [Account] {
        let contents: Contents
        do { contents = try JSONDecoder().decode(Contents.self, from: data) } catch {
            throw RunFailure("\(path)\(place(of: error)); it should look like\n\(example)")
        }
        guard !contents.users.isEmpty else {
            throw RunFailure("\(path) names no user; without --users everybody may come")
        }
        var accounts: [Account] = []
        for (index, user) in contents.users.enumerated() {
            let place = "\(path), users[\(index)]"
            let account = try account(of: user, place)
            guard !accounts.contains(where: { $0.name == account.name }) else {
                throw RunFailure("\(place): there are two users “\(account.name)”")
            }
            accounts.append(account)
        }
        return accounts
    }

    private static func account(of user: User, _ place: String) throws(RunFailure) -> Account {
        guard !user.name.isEmpty, !user.name.contains(":") else {
            throw RunFailure("\(place): a name is not empty and has no colon (RFC 7617 §2)")
        }
        guard user.password != nil || user.tokens?.isEmpty == false else {
            throw RunFailure("\(place): “\(user.name)” has neither a password nor a token")
        }
        var docroot = ObjectPath.root
        if let path = user.docroot {
            do throws(HTTPError) { docroot = try ObjectPath(path) } catch {
                throw RunFailure("\(place): docroot: \(error.reason)")
            }
        }
        var tokens: [Account.Token] = []
        for token in user.tokens ?? [] {
            var expires: UInt64?
            if let text = token.expires { expires = try seconds(text, place) }
            tokens.append(.init(text: token.token, expires: expires))
        }
        return Account(
            name: user.name, password: user.password, tokens: tokens, docroot: docroot,
            quota: user.quota.map { ByteCount($0) })
    }

    private static func seconds(_ text: String, _ place: String) throws(RunFailure) -> UInt64 {
        guard let date = ISO8601DateFormatter().date(from: text) else {
            throw RunFailure(
                "\(place): “\(text)” is no time; write it like 2026-12-31T12:00:00Z")
        }
        return UInt64(max(0, date.timeIntervalSince1970))
    }

    private static func place(of error: any Error) -> String {
        guard let error = error as? DecodingError else { return ": \(error)" }
        let (context, what): (DecodingError.Context, String) =
            switch error {
            case .keyNotFound(let key, let context): (context, "“\(key.stringValue)” is missing")
            case .typeMismatch(_, let context): (context, context.debugDescription)
            case .valueNotFound(_, let context): (context, context.debugDescription)
            case .dataCorrupted(let context): (context, "this is no JSON")
            @unknown default: (.init(codingPath: [], debugDescription: ""), "\(error)")
            }
        let path = context.codingPath.map { key in
            key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)"
        }
        let words = path.joined().drop { $0 == "." }
        return (words.isEmpty ? "" : ", \(words)") + ": \(what)"
    }
}
