import Quantities
import RunLog
import Testing

@testable import Checks

/// What apps do with their tokens, as the server and their requests show it (S12), and whether
/// sessions wait for the server (A2).
@Suite struct SeenTokensTests {
    private static func asks(_ connection: UInt32, _ request: String, by launch: UInt32 = 1)
        -> RunEvent.Fact
    {
        let words = request.split(separator: " ").map(String.init)
        return .connection(
            .request(
                ConnectionName(launch: launch, number: connection), method: words[0],
                target: words[1]))
    }

    private static func hears(_ connection: UInt32, _ status: Int, by launch: UInt32 = 1)
        -> RunEvent.Fact
    {
        .connection(
            .response(ConnectionName(launch: launch, number: connection), status: status))
    }

    private static func refused(_ request: String, _ token: String? = "issued at 1 s")
        -> RunEvent.Fact
    {
        let words = request.split(separator: " ").map(String.init)
        return .server(
            .credentialRefused(user: "ada", token: token, method: words[0], target: words[1]))
    }

    private static let issued = RunEvent.Fact.server(
        .tokenIssued(user: "ada", token: "issued at 1 s"))
    private static let known = RunEvent.Fact.engine(.credential("app", .known(version: 0)))

    /// An app that signs in, and gets its first token.
    private static let signedIn = [known, asks(1, "POST /token"), issued, hears(1, 200)]

    private func answer(_ facts: [RunEvent.Fact], _ check: any Check = TokensAndTimers())
        -> Verdict.Answer
    {
        var log = TimedLog()
        log.add(SmallLog.begins(sessions: 1))
        for fact in facts { log.add(fact) }
        return log.answer(of: check)
    }

    private func isBroken(_ answer: Verdict.Answer, _ words: String) -> Bool {
        guard case .broken(let breach) = answer else { return false }
        return breach.seen.contains(words) || breach.expected.contains(words)
    }

    @Test func `a token that is refused is replaced by the next`() {
        let facts =
            Self.signedIn + [
                Self.asks(2, "POST /tus"), Self.refused("POST /tus"), Self.hears(2, 401),
                Self.asks(3, "POST /token"),
            ]
        #expect(answer(facts) == .held)
    }

    @Test func `a token that nobody has refused needs no other`() {
        let facts = Self.signedIn + [Self.asks(2, "POST /token")]
        #expect(isBroken(answer(facts), "nobody has refused"))
    }

    @Test func `a request whose answer was no HTTP is over, and one whose answer waits is not`() {
        func asksTwice(after effect: String) -> [RunEvent.Fact] {
            [
                Self.known, Self.asks(1, "POST /token"), Self.issued,
                .server(
                    .fault(
                        "odd", connection: 1, client: nil, request: "POST /token", effect: effect)),
                Self.asks(2, "POST /token"),
            ]
        }
        #expect(answer(asksTwice(after: "the answer 200 has a wrong content-length")) == .held)
        for effect in ["the answer 200 waits", "the answer 200 says ETag: W/\"v1\""] {
            #expect(
                isBroken(answer(asksTwice(after: effect)), "one request for a token at a time"))
        }
    }

    @Test func `two requests for a token at a time are one too many`() {
        let facts = [Self.known, Self.asks(1, "POST /token"), Self.asks(2, "POST /token")]
        #expect(isBroken(answer(facts), "another is sent"))
    }

    @Test func `a token whose refusal was heard is not sent again`() {
        let once = [Self.asks(2, "POST /tus"), Self.refused("POST /tus"), Self.hears(2, 401)]
        #expect(isBroken(answer(Self.signedIn + once + once), "POST /tus sends it"))
    }

    @Test func `an app whose data was cleared may be given the same token again`() {
        func once(_ launch: UInt32) -> [RunEvent.Fact] {
            [
                Self.asks(2, "POST /tus", by: launch), Self.refused("POST /tus"),
                Self.hears(2, 401, by: launch),
            ]
        }
        let cleared = RunEvent.Fact.device(.appDataCleared)
        #expect(answer([Self.known] + once(1) + [cleared, Self.known] + once(2)) == .held)
        #expect(isBroken(answer([Self.known] + once(1) + once(2)), "POST /tus sends it"))
    }

    @Test func `requests that were on their way are no second use`() {
        let facts =
            Self.signedIn + [
                Self.asks(2, "POST /tus"), Self.asks(3, "POST /once/b"),
                Self.refused("POST /tus"), Self.refused("POST /once/b"),
                Self.hears(2, 401), Self.hears(3, 401),
            ]
        #expect(answer(facts) == .held)
    }

    @Test func `another secret of the user brings another token`() {
        let facts = Self.signedIn + [Self.known, Self.asks(2, "POST /token")]
        #expect(answer(facts) == .held)
    }

    // MARK: A2

    private static func told(_ callback: SessionCallback) -> RunEvent.Fact {
        SmallLog.told(callback)
    }

    private static let opened = [
        SmallLog.acceptedSet(["a.mov"]), told(.willActivate), told(.didActivate),
        told(.willStartRunning),
        RunEvent.Fact.connection(
            .opening(ConnectionName(launch: 1, number: 2), to: "docroot:80", by: ItemName(1))),
    ]

    @Test func `a session that the server refuses never starts running`() {
        let facts =
            Self.opened + [
                Self.asks(2, "OPTIONS /tus"), Self.refused("OPTIONS /tus", nil),
                Self.hears(2, 401), Self.told(.didStopRunning),
            ]
        #expect(answer(facts, CallbacksFollowGrammar()) == .held)
    }

    @Test func `a session that starts running before it is refused falls`() {
        let facts =
            Self.opened + [
                Self.told(.didStartRunning), Self.asks(2, "POST /tus"),
                Self.refused("POST /tus", nil), Self.hears(2, 401),
            ]
        #expect(isBroken(answer(facts, CallbacksFollowGrammar()), "before the first answer"))
    }

    @Test func `a session that was accepted may be refused later`() {
        let facts =
            Self.opened + [
                Self.asks(2, "OPTIONS /tus"), Self.hears(2, 204), Self.told(.didStartRunning),
                Self.asks(2, "POST /tus"), Self.refused("POST /tus"), Self.hears(2, 401),
            ]
        #expect(answer(facts, CallbacksFollowGrammar()) == .held)
    }

    @Test func `who says nothing is not refused`() {
        let facts =
            Self.opened + [
                Self.told(.didStartRunning), Self.asks(2, "POST /tus"), Self.hears(2, 401),
            ]
        #expect(answer(facts, CallbacksFollowGrammar()) == .held)
    }
}
