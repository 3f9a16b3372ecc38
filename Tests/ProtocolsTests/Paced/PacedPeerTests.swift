import Quantities
import Testing

@testable import Protocols

/// The address of a client that changes.
@Suite struct PacedPeerTests {
    private let start = Instant.start + .seconds(1)

    @Test func `another address has to answer before anything goes there`() {
        var peer = PacedPeer(at: "home")
        let asked = peer.came(from: "train", isNewest: true, hasAnswered: false, at: start)
        #expect(asked == .challenge("train") && peer.address == "home")
        let moved = peer.came(from: "train", isNewest: true, hasAnswered: true, at: start)
        #expect(moved == .move && peer.address == "train")
        let stays = peer.came(from: "train", isNewest: true, hasAnswered: true, at: start)
        #expect(stays == .stay)
    }

    @Test func `what is repeated from elsewhere asks for nothing`() {
        var peer = PacedPeer(at: "home")
        let step = peer.came(from: "spy", isNewest: false, hasAnswered: false, at: start)
        #expect(step == .stay)
    }

    @Test func `an answer from where nobody was asked moves nothing`() {
        var peer = PacedPeer(at: "home")
        _ = peer.came(from: "spy", isNewest: true, hasAnswered: false, at: start)
        let step = peer.came(from: "home", isNewest: true, hasAnswered: true, at: start)
        #expect(step == .stay && peer.address == "home")
        // The client has spoken from where it was since.
        let late = peer.came(from: "spy", isNewest: false, hasAnswered: true, at: start)
        #expect(late == .stay && peer.address == "home")
    }

    @Test func `a challenge that is lost is followed by another, but not at once`() {
        var peer = PacedPeer(at: "home")
        _ = peer.came(from: "train", isNewest: true, hasAnswered: false, at: start)
        let soon = start + .milliseconds(199)
        let none = peer.came(from: "train", isNewest: true, hasAnswered: false, at: soon)
        #expect(none == .stay)
        let later = start + .milliseconds(200)
        let again = peer.came(from: "train", isNewest: true, hasAnswered: false, at: later)
        #expect(again == .challenge("train"))
    }

    /// What a sender takes for the answer to its challenge.
    @Test func `only a report of the challenge itself answers it`() throws {
        var now = start
        var server = PacedEnd(PacedSettings(), packetSize: 1_500, at: now)
        var client = PacedEnd(PacedSettings(), packetSize: 1_500, at: now)
        client.greet(at: now)
        let helloMade = client.next(at: now)
        let hello = try #require(helloMade)
        server.accept()
        _ = server.arrived(hello, at: now)
        server.write(10_000)
        let dataMade = server.next(at: now)
        let data = try #require(dataMade)
        let challenge = server.challenge(at: now)
        now = now + .milliseconds(20)
        _ = client.arrived(data, at: now)
        now = now + .milliseconds(60)
        let ofDataMade = client.report(at: now)
        let ofData = try #require(ofDataMade)
        _ = server.heard(ofData, at: now)
        #expect(!server.hasAnswer)
        _ = client.arrived(challenge, at: now)
        let ofChallengeMade = client.report(at: now)
        let ofChallenge = try #require(ofChallengeMade)
        _ = server.heard(ofChallenge, at: now)
        #expect(server.hasAnswer)
        server.moves(at: now)
        #expect(!server.hasAnswer)
    }
}
