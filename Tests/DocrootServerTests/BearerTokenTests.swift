import Content
import Facts
import Protocols
import Quantities
import Testing

@testable import DocrootServer

/// `/token`: bearer tokens for a name and a password (RFC 6749 §4.4).
@Suite struct BearerTokenTests {
    private static func basic(_ pair: String) -> [(String, String)] {
        [("Authorization", "Basic " + Base64.encode(Array(pair.utf8)))]
    }

    private let ada = Self.basic("ada:engine")
    private let body: [Segment] = [.bytes(TokenRequest.body)]

    private func bench(signingKey: String = "a key") throws -> DocrootBench {
        DocrootBench(
            ServerSettings(
                accounts: [
                    ServerUser(
                        name: "ada", password: "engine", tokens: [], docroot: .root, quota: nil,
                        tokenLifetime: .seconds(10)),
                    ServerUser(
                        name: "bob", password: "mill", tokens: [], docroot: .root, quota: nil),
                ], signingKey: Array(signingKey.utf8)))
    }

    private func token(_ bench: DocrootBench) throws -> [(String, String)] {
        let reply = try #require(bench.ask("POST", "/token", ada, body: body))
        #expect(reply.status == 200 && reply.head.fields["Cache-Control"] == "no-store")
        let text = try #require(reply.text.firstMatch(of: /"access_token":"([^"]+)"/))
        return [("Authorization", "Bearer \(text.1)")]
    }

    @Test func `a token is good for as long as the answer says`() throws {
        let bench = try bench()
        let token = try token(bench)
        bench.now = .start + .seconds(9)
        #expect(bench.ask("PUT", "/dav/a", token, body: bytes(10), on: 2)?.status == 201)
        bench.now = .start + .seconds(10)
        let late = bench.ask("GET", "/dav/a", token, on: 2)
        #expect(late?.status == 401)
        #expect(late?.head.fields["WWW-Authenticate"]?.contains("invalid_token") == true)
    }

    @Test func `two tokens of a user differ, and both are good`() throws {
        let bench = try bench()
        let first = try token(bench)
        bench.now = .start + .milliseconds(1)
        let second = try token(bench)
        #expect(first[0].1 != second[0].1)
        for token in [first, second] {
            #expect(bench.ask("OPTIONS", "/tus", token, on: 2)?.status == 204)
        }
    }

    @Test(arguments: ["ada:steam", "eve:engine", "ada", ""])
    func `a wrong name or password brings none`(pair: String) throws {
        let reply = try bench().ask("POST", "/token", Self.basic(pair), body: body)
        #expect(reply?.status == 401)
    }

    @Test func `a token brings no other token, and neither does nobody`() throws {
        let bench = try bench()
        let token = try token(bench)
        #expect(bench.ask("POST", "/token", token, body: body, on: 2)?.status == 401)
        #expect(bench.ask("POST", "/token", [], body: body, on: 3)?.status == 401)
    }

    @Test func `a user without tokens gets none, and a request has to ask for them`() throws {
        let bench = try bench()
        let bob = Self.basic("bob:mill")
        #expect(bench.ask("POST", "/token", bob, body: body, on: 1)?.status == 400)
        let other: [Segment] = [.bytes(Array("grant_type=password".utf8))]
        #expect(bench.ask("POST", "/token", ada, body: other, on: 2)?.status == 400)
        #expect(bench.ask("GET", "/token", ada, on: 3)?.status == 405)
    }

    @Test func `a token of another server, or one that was changed, is none`() throws {
        let foreign = try token(try bench(signingKey: "another key"))
        let bench = try bench()
        let own = try token(bench)[0].1
        #expect(bench.ask("OPTIONS", "/tus", foreign, on: 2)?.status == 401)
        for place in stride(from: "Bearer tl1.".count, to: own.count, by: 7) {
            var letters = Array(own)
            letters[place] = letters[place] == "1" ? "2" : "1"
            guard String(letters) != own else { continue }
            let changed = [("Authorization", String(letters))]
            #expect(bench.ask("OPTIONS", "/tus", changed, on: 3)?.status == 401, "\(place)")
        }
    }

    @Test func `no fact holds a token or a password`() throws {
        let bench = try bench()
        let token = try token(bench)
        bench.now = .start + .seconds(11)
        bench.ask("GET", "/dav/a", token, on: 2)
        bench.ask("GET", "/dav/a", Self.basic("ada:steam"), on: 3)
        let words = bench.notes.map(\.sentence).joined(separator: "\n")
        #expect(words.contains("the token issued at 0 ns of ada is not accepted for GET /dav/a"))
        #expect(words.contains("the password of ada is not accepted for GET /dav/a"))
        let secret = token[0].1.dropFirst("Bearer ".count)
        #expect(!words.contains(secret) && !words.contains("steam"))
    }
}
