import Content
import Protocols
import Quantities
import Testing

@testable import DocrootServer

/// The front end that opens sessions of the paced transport.
@Suite struct PacedOpeningTests {
    private static let nonce = ("Paced-Nonce", "000102030405060708090a0b0c0d0e0f")

    private static func bench(accounts: [ServerUser] = []) -> DocrootBench {
        DocrootBench(ServerSettings(accounts: accounts, pacedPort: 33_001))
    }

    @Test func `each request opens a session of its own, with the rates that it asks for`() throws {
        let bench = Self.bench()
        let rates = [
            ("Paced-Policy", "low"), ("Paced-Target", "4000000"), ("Paced-Minimum", "20000"),
            Self.nonce,
        ]
        let first = try #require(bench.ask("POST", "/paced", rates))
        let second = try #require(bench.ask("POST", "/paced", [Self.nonce], on: 2))
        let grants = [first, second].compactMap { PacedGrant(parsing: $0.head) }
        #expect(grants.map(\.port) == [33_001, 33_001])
        #expect(grants[0].session != grants[1].session)
        #expect(bench.admitted.map(\.number) == grants.map(\.session))
        #expect(
            bench.admitted[0].rates
                == PacedSettings(
                    policy: .low, target: Bitrate(bitsPerSecond: 4_000_000),
                    minimum: Bitrate(bitsPerSecond: 20_000)))
        #expect(bench.admitted[1].rates == PacedSettings())
    }

    @Test func `the server says whether anything of a session has come`() throws {
        let bench = Self.bench()
        let answer = try #require(bench.ask("POST", "/paced", [Self.nonce]))
        let grant = try #require(PacedGrant(parsing: answer.head))
        let target = PacedRequest.ask(session: grant.session).resource
        #expect(bench.ask("GET", target).flatMap { PacedNews.hasHeard(parsing: $0.head) } == false)
        bench.hear(grant.session)
        #expect(bench.ask("GET", target).flatMap { PacedNews.hasHeard(parsing: $0.head) } == true)
        #expect(bench.ask("GET", "/paced/\((grant.session + 1).hexDigits)")?.status == 404)
        #expect(bench.ask("GET", "/paced/7")?.status == 404)
    }

    @Test(arguments: [
        ("Paced-Policy", "greedy"), ("Paced-Target", "0"), ("Paced-Target", "fast"),
        ("Paced-Minimum", "-1"), ("Paced-Target", "100000000001"),
    ]) func `rates that cannot be are refused`(field: (String, String)) {
        let bench = Self.bench()
        let answer = bench.ask("POST", "/paced", [field, Self.nonce])
        #expect(answer?.status == 400)
        #expect(answer?.text.hasPrefix(field.0) == true)
        #expect(bench.admitted.isEmpty)
    }

    @Test(arguments: [nil, "0a", "000102030405060708090a0b0c0d0e0g"])
    func `a client without a nonce is refused`(nonce: String?) {
        let bench = Self.bench()
        let answer = bench.ask("POST", "/paced", nonce.map { [("Paced-Nonce", $0)] } ?? [])
        #expect(answer?.status == 400)
        #expect(answer?.text.hasPrefix("Paced-Nonce") == true)
        #expect(bench.admitted.isEmpty)
    }

    @Test func `both sides come to know what the keys are made of`() throws {
        let bench = DocrootBench(
            ServerSettings(
                accounts: [
                    ServerUser(
                        name: "ada", password: "engine", tokens: [], docroot: .root, quota: nil)
                ], pacedPort: 33_001))
        let secret = ("Authorization", "Basic YWRhOmVuZ2luZQ==")
        let answers = ([1, 2] as [UInt32]).map { connection in
            bench.ask("POST", "/paced", [Self.nonce, secret], on: connection)
        }
        let grants = try answers.map { try #require($0.flatMap { PacedGrant(parsing: $0.head) }) }
        #expect(bench.admitted.map(\.server) == grants.map(\.nonce))
        #expect(grants[0].nonce != grants[1].nonce)
        #expect(bench.admitted.map(\.client.bytes) == Array(repeating: Array(0..<16), count: 2))
        #expect(bench.admitted.map(\.authorization) == [secret.1, secret.1])
    }

    @Test func `only who may come in opens a session`() {
        let bench = Self.bench(accounts: [
            ServerUser(
                name: "ada", password: "engine", tokens: [], docroot: .root, quota: nil)
        ])
        #expect(bench.ask("POST", "/paced")?.status == 401)
        #expect(bench.admitted.isEmpty)
    }

    @Test func `a server that does not offer it says so`() {
        let bench = DocrootBench()
        #expect(bench.ask("POST", "/paced")?.status == 404)
        #expect(Self.bench().ask("PUT", "/paced")?.status == 405)
    }

    @Test func `numbers do not begin anew with the process`() throws {
        let early = Self.bench()
        let late = Self.bench()
        late.now = .start + .seconds(1)
        let sessions = try [early, late].map { bench in
            try #require(
                bench.ask("POST", "/paced", [Self.nonce]).flatMap { PacedGrant(parsing: $0.head) }
            ).session
        }
        #expect(sessions[0] + 1_000 < sessions[1])
    }
}
