import DocrootServer
import Quantities
import RunPlan
import Scenario
import Testing
import TransferClient

/// How apps sign in, and the users of the server (A23).
@Suite struct IdentityReadingTests {
    private static func text(
        signIn: String = "{ user: ada, password: engine }", accounts: String? = nil,
        users: String? = "ada: { password: engine, tokens-last: 8 s }",
        timeline: String = "5 s: app killed"
    ) -> String {
        """
        name: identities
        why: an app says who it is
        links:
          uplink: { rate: 10 Mbit/s, delay: 20 ms }
          downlink: { rate: 10 Mbit/s, delay: 20 ms }
        files: { a.mov: 400 kB }
        sign-in: \(signIn)
        \(accounts.map { "accounts: { studio: \($0) }" } ?? "tags: [plain]")
        queue:
          - { upload: a.mov, to: in/a.mov }
        timeline:
          - \(timeline)
        server: { \(users.map { "accounts: { \($0) }" } ?? "connections: 9") }

        """
    }

    private static func mistakes(in text: String) -> [String] {
        do throws(ScenarioError) {
            _ = try Scenario.read(text: text, path: "x.yaml")
            return []
        } catch {
            return error.diagnostics.map { "\($0.message); \($0.expected ?? "")" }
        }
    }

    @Test(arguments: [
        ("{ user: ada, password: engine }", Secret.password(user: "ada", "engine")),
        ("{ user: ada, password: engine, tokens: no }", .password(user: "ada", "engine")),
        (
            "{ user: ada, password: engine, tokens: yes }",
            .tokens(user: "ada", password: "engine")
        ),
        ("{ token: t0 }", .token("t0")),
        (
            "{ user: nobody, password: engine, tokens: yes }",
            .tokens(user: "nobody", password: "engine")
        ),
    ])
    func `an app signs in by a password, by tokens for it, or by a token`(
        words: String, secret: Secret
    ) throws {
        let scenario = try Scenario.read(text: Self.text(signIn: words), path: "x.yaml")
        #expect(scenario.plan(seed: 1).app.signIn == secret)
        #expect(!scenario.sentences(seed: 1).joined().contains("engine"))
    }

    @Test func `an account has a user, a folder and a port of its own`() throws {
        let account = "{ folder: cuts, port: 8080, user: ada, password: engine, tokens: yes }"
        let scenario = try Scenario.read(text: Self.text(accounts: account), path: "x.yaml")
        #expect(
            scenario.plan(seed: 1).app.accounts == [
                PlannedAccount(
                    name: "studio", folder: "cuts",
                    secret: .tokens(user: "ada", password: "engine"), port: 8080)
            ])
    }

    @Test func `a user of the server has tokens for a while, or one for ever`() throws {
        let users = "ada: { password: engine, tokens-last: 8 s, token: t0 }"
        let scenario = try Scenario.read(text: Self.text(users: users), path: "x.yaml")
        let user = try #require(scenario.plan(seed: 1).server.accounts.first)
        #expect(user.tokenLifetime == .seconds(8))
        #expect(user.tokens == [ServerUser.Token(text: "t0", expires: nil)])
    }

    static let slips = [
        (text(signIn: "{ user: ada }"), "this does not say how the app proves who it is"),
        (text(signIn: "{ token: t0, user: ada }"), "this does not say how"),
        (text(signIn: "{ token: t0, tokens: yes }"), "this does not say how"),
        (text(signIn: "{ tokens: yes }"), "this does not say how"),
        (text(signIn: "{ user: a:b, password: x }"), "a name has no colon (RFC 7617)"),
        (text(signIn: "{ token: a b }"), "a token has no blanks"),
        (text(signIn: "{ token: größe }"), "no letters beyond ASCII"),
        (text(signIn: "{ user: ada, passwort: x }"), "has no key “passwort”"),
        (text(accounts: "{ port: 0 }"), "a port from 1 to 65535"),
        (text(accounts: "{ user: ada }"), "this does not say how"),
        (text(users: "ada: { password: x, tokens-last: 20 ms }"), "good for no request"),
        (text(users: "ada: { password: x, token: a b }"), "a token has no blanks"),
        (text(users: nil), "the server has no users, so nobody has to sign in"),
        (
            text(
                signIn: "{ user: ada, password: engine, tokens: yes }",
                users: "ada: { password: engine }"), "the server gives “ada” no tokens"
        ),
        (text(timeline: "5 s: sign in to account studio with x"), "there is no account “studio”"),
        (
            text(signIn: "{ token: t0 }", timeline: "5 s: sign in with x"),
            "the app has no name to sign in with"
        ),
        (
            text(accounts: "{ folder: cuts }", timeline: "5 s: sign in to account studio with x"),
            "the account “studio” has no user"
        ),
    ]

    @Test(arguments: slips) func `what cannot be meant is a mistake`(text: String, words: String) {
        let mistakes = Self.mistakes(in: text)
        #expect(mistakes.count == 1 && mistakes.allSatisfy { $0.contains(words) }, "\(mistakes)")
    }
}
