import Testing

@testable import Runs

/// Scenarios in logs and reports, without their passwords and tokens.
@Suite struct HiddenSecretsTests {
    static let lines = [
        ("{ \"password\": \"engine\" }", "{ \"password\": \"xxxxx1\" }"),
        ("  password:\n    engine\n", "  password:\n    xxxxx1\n"),
        ("    password: engine", "    password: xxxxx1"),
        (
            "sign-in: { user: ada, password: engine, tokens: yes }",
            "sign-in: { user: ada, password: xxxxx1, tokens: yes }"
        ),
        ("{ password: \"eng, ine\", user: ada }", "{ password: \"xxxxxxx1\", user: ada }"),
        ("{ token: 't0' }", "{ token: 'x1' }"), ("token: t # its token", "token: 1 # its token"),
        ("  - 5 s: sign in with engine", "  - 5 s: sign in with xxxxx1"),
        (
            "  - on failed session 1: sign in to account studio with engine",
            "  - on failed session 1: sign in to account studio with xxxxx1"
        ),
        (
            "fields: { Authorization: Basic YWRhOmVuZ2luZQ==, Tus-Resumable: 1.0.0 }",
            "fields: { Authorization: Basic YWRhOnh4eHh4MQ==, Tus-Resumable: 1.0.0 }"
        ),
        ("{ Authorization: 'Bearer t0' }", "{ Authorization: 'Bearer x1' }"),
        (
            "raw: 'GET / HTTP/1.1\\r\\nAuthorization: Basic YWRhOmVuZ2luZQ==\\r\\n\\r\\n'",
            "raw: 'GET / HTTP/1.1\\r\\nAuthorization: Basic YWRhOnh4eHh4MQ==\\r\\n\\r\\n'"
        ),
        ("password: größe", "password: xxxxxx1"),
    ]

    @Test(arguments: lines) func `a secret has a stand-in as long as it is`(
        line: String, hidden: String
    ) {
        var secrets = HiddenSecrets()
        #expect(secrets.hidden(line) == hidden)
        #expect(line.utf8.count == hidden.utf8.count)
    }

    @Test(arguments: [
        "refreshes-token: yes", "front-end: token", "do: expire the token, times: 1",
        "tokens-last: 60 s", "tokens: yes",
        "Authorization: Digest x",
    ])
    func `what is no secret stays`(line: String) {
        var secrets = HiddenSecrets()
        #expect(secrets.hidden(line) == line)
    }

    @Test func `the same secret has the same stand-in everywhere, and another has another`() {
        var secrets = HiddenSecrets()
        let lines = secrets.hidden(
            """
            password: engine
            password: steams
            fields: { Authorization: Basic YWRhOmVuZ2luZQ== }
            """)
        #expect(
            lines == """
                password: xxxxx1
                password: xxxxx2
                fields: { Authorization: Basic YWRhOnh4eHh4MQ== }
                """)
    }
}
