package import DocrootServer
import Foundation
import Protocols
import Quantities
import Reports

/// The users of a server, from a JSON file.
package enum UsersFile {
    private struct Contents: Decodable, HasKeys {
        var users: [Strict<User>]

        static let keys = ["users"]
    }

    private struct User: Decodable, HasKeys {
        var name: String
        var password: String?
        var tokens: [Strict<Token>]?
        var docroot: String?
        var quota: Double?
        var tokensLast: Double?

        static let keys = ["name", "password", "tokens", "docroot", "quota", "tokensLast"]
    }

    private struct Token: Decodable, HasKeys {
        var token: String
        var expires: String?

        static let keys = ["token", "expires"]
    }

    /// An example for the help and for errors.
    package static let example = """
        {"users": [{"name": "ada", "password": "secret",
                    "docroot": "ada", "quota": 1000000000, "tokensLast": 3600,
                    "tokens": [{"token": "t0", "expires": "2026-12-31T12:00:00Z"}]}]}
        """

    package static func read(_ path: String) throws(RunFailure) -> [ServerUser] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw RunFailure("cannot read the users in \(path)")
        }
        return try accounts(in: data, path: path)
    }

    static func accounts(in data: Data, path: String) throws(RunFailure) -> [ServerUser] {
        let contents: Contents
        do { contents = try JSONDecoder().decode(Strict<Contents>.self, from: data).value } catch {
            let remedy = "the file should look like\n\(example)"
            if case DecodingError.dataCorrupted = error {
                throw RunFailure(
                    JSONMistake(error, in: data), in: path, "names no users", remedy: remedy)
            }
            throw RunFailure("\(path)\(place(of: error)); \(remedy)")
        }
        guard !contents.users.isEmpty else {
            throw RunFailure("\(path) names no user; leave --users out to let everybody in")
        }
        var accounts: [ServerUser] = []
        for (index, user) in contents.users.enumerated() {
            let place = "\(path), users[\(index)]"
            let account = try account(of: user.value, place)
            guard !accounts.contains(where: { $0.name == account.name }) else {
                throw RunFailure("\(place): there are two users “\(account.name)”")
            }
            accounts.append(account)
        }
        return accounts
    }

    private static func account(of user: User, _ place: String) throws(RunFailure) -> ServerUser {
        guard !user.name.isEmpty, !user.name.contains(":") else {
            throw RunFailure("\(place): a name must not be empty or have a colon (RFC 7617 §2)")
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
        var tokens: [ServerUser.Token] = []
        for token in (user.tokens ?? []).map(\.value) {
            var expires: UInt64?
            if let text = token.expires { expires = try seconds(text, place) }
            tokens.append(.init(text: token.token, expires: expires))
        }
        var quota: ByteCount?
        if let number = user.quota {
            guard let count = UInt64(exactly: number) else {
                throw RunFailure("\(place).quota: \(number) is not a whole number of bytes")
            }
            quota = ByteCount(count)
        }
        return ServerUser(
            name: user.name, password: user.password, tokens: tokens, docroot: docroot,
            quota: quota, tokenLifetime: try lifetime(user.tokensLast, place))
    }

    /// Reads how many seconds the tokens last that a user gets at `/token`.
    private static func lifetime(
        _ number: Double?, _ place: String
    ) throws(RunFailure) -> TimeSpan? {
        guard let number else { return nil }
        guard let seconds = Int64(exactly: number), (1...1_000_000_000).contains(seconds) else {
            throw RunFailure("\(place).tokensLast: \(number) is not a whole number of seconds")
        }
        return .seconds(seconds)
    }

    private static func seconds(_ text: String, _ place: String) throws(RunFailure) -> UInt64 {
        guard let date = ISO8601DateFormatter().date(from: text) else {
            throw RunFailure(
                "\(place): “\(text)” is not a time; write it like 2026-12-31T12:00:00Z")
        }
        return UInt64(max(0, date.timeIntervalSince1970))
    }

    private static func place(of error: any Error) -> String {
        let (path, what): ([any CodingKey], String) =
            switch error {
            case DecodingError.keyNotFound(let key, let context):
                (context.codingPath, "“\(key.stringValue)” is missing")
            case DecodingError.typeMismatch(_, let context),
                DecodingError.valueNotFound(_, let context):
                (context.codingPath, context.debugDescription)
            case let error as UnknownKey: (error.path, error.words)
            default: ([], "\(error)")
            }
        let steps = path.map { key in
            key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)"
        }
        let words = steps.joined().drop { $0 == "." }
        return (words.isEmpty ? "" : ", \(words)") + ": \(what)"
    }
}

private protocol HasKeys { static var keys: [String] { get } }

/// An object without unknown keys. A misspelt key would let a user see everything, or have no
/// quota.
private struct Strict<Value: Decodable & HasKeys>: Decodable {
    let value: Value

    init(from decoder: any Decoder) throws {
        let names = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue).sorted()
        if let name = names.first(where: { !Value.keys.contains($0) }) {
            var known = Value.keys
            let last = known.removeLast()
            let all =
                known.isEmpty ? "\(last) is" : "\(known.joined(separator: ", ")) and \(last) are"
            throw UnknownKey(
                path: decoder.codingPath, words: "the key “\(name)” is unknown; \(all)")
        }
        value = try Value(from: decoder)
    }
}

private struct UnknownKey: Error {
    var path: [any CodingKey]
    var words: String
}

private struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
