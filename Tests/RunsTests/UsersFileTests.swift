import DocrootServer
import Foundation
import Quantities
import Testing

@testable import Runs

@Suite struct UsersFileTests {
    @Test func `the example of the help is a file of users`() throws {
        let accounts = try read(UsersFile.example)
        #expect(
            accounts == [
                ServerUser(
                    name: "ada", password: "secret",
                    tokens: [.init(text: "t0", expires: 1_798_718_400)],
                    docroot: try ObjectPath("ada"), quota: ByteCount(1_000_000_000),
                    tokenLifetime: .seconds(3600))
            ])
    }

    static let mistakes: [(text: String, words: String)] = [
        ("", "users names no users: it is not JSON, or it is cut off"), ("[]", "users: "),
        ("{\n  x", "users:2:3: error: the file names no users: it is not JSON; the file should"),
        ("{}", "“users” is missing"),
        (#"{"users": []}"#, "names no user"),
        (#"{"users": [{"password": "x"}]}"#, "users[0]: “name” is missing"),
        (#"{"users": [{"name": 5}]}"#, "users[0].name: "),
        (
            #"{"users": [{"name": "a", "password": "x", "quota": -1}]}"#,
            "users[0].quota: -1.0 is not a whole number of bytes"
        ),
        (
            #"{"users": [{"name": "a", "password": "x", "tokensLast": 0.5}]}"#,
            "users[0].tokensLast: 0.5 is not a whole number of seconds"
        ),
        (
            #"{"users": [{"name": "a", "password": "x", "docrot": "a"}]}"#,
            "users[0]: the key “docrot” is unknown; name, password, tokens, docroot, quota and "
                + "tokensLast are"
        ),
        (
            #"{"users": [{"name": "a", "tokens": [{"token": "t", "expire": ""}]}]}"#,
            "users[0].tokens[0]: the key “expire” is unknown; token and expires are"
        ),
        (#"{"users": [], "user": []}"#, "the key “user” is unknown; users is"),
        (#"{"users": [{"name": "a"}]}"#, "neither a password nor a token"),
        (#"{"users": [{"name": "a:b", "password": "x"}]}"#, "have a colon"),
        (#"{"users": [{"name": "a", "password": "x", "docroot": "../b"}]}"#, "leaves the docroot"),
        (
            #"{"users": [{"name": "a", "tokens": [{"token": "t", "expires": "soon"}]}]}"#,
            "“soon” is not a time"
        ),
        (
            #"{"users": [{"name": "a", "password": "x"}, {"name": "a", "password": "y"}]}"#,
            "users[1]: there are two users “a”"
        ),
    ]

    @Test(arguments: mistakes) func `a mistake has its place`(text: String, words: String) {
        do {
            _ = try read(text)
            Issue.record("“\(text)” was taken")
        } catch {
            #expect("\(error)".contains(words), "\(error)")
        }
    }

    private func read(_ text: String) throws -> [ServerUser] {
        try UsersFile.accounts(in: Data(text.utf8), path: "users")
    }
}
