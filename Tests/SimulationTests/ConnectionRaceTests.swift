import Quantities
import RunLog
import Testing

@testable import Simulation

/// Happy Eyeballs, version 2 (RFC 8305), by hand.
@Suite struct ConnectionRaceTests {
    private static func at(_ time: Int64) -> Instant { .start + .milliseconds(time) }

    @Test func `a known IPv6 address is tried at once, whatever is known of IPv4`() {
        var race = ConnectionRace()
        race.learn(.ipv6, hasAddress: true, at: Self.at(7))
        #expect(race.step(at: Self.at(7)) == .attempt(.ipv6))
        #expect(race.step(at: Self.at(7)) == nil)
        #expect(race.deadline == nil)
    }

    @Test func `an IPv4 address that is known first waits 50 ms for the other`() {
        var race = ConnectionRace()
        race.learn(.ipv4, hasAddress: true, at: Self.at(10))
        #expect(race.step(at: Self.at(10)) == nil)
        #expect(race.deadline == Self.at(60))
        #expect(race.step(at: Self.at(59)) == nil)
        #expect(race.step(at: Self.at(60)) == .attempt(.ipv4))
    }

    @Test func `within these 50 ms IPv6 comes first`() {
        var race = ConnectionRace()
        race.learn(.ipv4, hasAddress: true, at: Self.at(10))
        race.learn(.ipv6, hasAddress: true, at: Self.at(59))
        #expect(race.step(at: Self.at(59)) == .attempt(.ipv6))
        #expect(race.deadline == Self.at(309))
    }

    @Test func `without an IPv6 address nobody waits for it`() {
        var race = ConnectionRace()
        race.learn(.ipv6, hasAddress: false, at: Self.at(10))
        race.learn(.ipv4, hasAddress: true, at: Self.at(12))
        #expect(race.step(at: Self.at(12)) == .attempt(.ipv4))
    }

    @Test func `the second attempt follows 250 ms after the first`() {
        var race = ConnectionRace()
        race.learn(.ipv6, hasAddress: true, at: Self.at(0))
        race.learn(.ipv4, hasAddress: true, at: Self.at(0))
        #expect(race.step(at: Self.at(0)) == .attempt(.ipv6))
        #expect(race.deadline == Self.at(250))
        #expect(race.step(at: Self.at(249)) == nil)
        #expect(race.step(at: Self.at(250)) == .attempt(.ipv4))
        #expect(race.deadline == nil)
    }

    @Test func `it follows at once if the first has failed`() {
        var race = ConnectionRace()
        race.learn(.ipv6, hasAddress: true, at: Self.at(0))
        race.learn(.ipv4, hasAddress: true, at: Self.at(0))
        #expect(race.step(at: Self.at(0)) == .attempt(.ipv6))
        race.failed(.ipv6, .refused)
        #expect(race.step(at: Self.at(40)) == .attempt(.ipv4))
        race.failed(.ipv4, .timedOut)
        #expect(race.step(at: Self.at(90)) == .giveUp(.timedOut))
    }

    @Test func `an IPv6 address that comes late is tried beside IPv4`() {
        var race = ConnectionRace()
        race.learn(.ipv4, hasAddress: true, at: Self.at(0))
        #expect(race.step(at: Self.at(50)) == .attempt(.ipv4))
        race.learn(.ipv6, hasAddress: true, at: Self.at(100))
        #expect(race.step(at: Self.at(100)) == nil)
        #expect(race.deadline == Self.at(300))
        #expect(race.step(at: Self.at(300)) == .attempt(.ipv6))
    }

    @Test func `without any address the server is not found`() {
        var race = ConnectionRace()
        race.learn(.ipv6, hasAddress: false, at: Self.at(0))
        #expect(race.step(at: Self.at(0)) == nil)
        race.learn(.ipv4, hasAddress: false, at: Self.at(5))
        #expect(race.step(at: Self.at(5)) == .giveUp(.notFound))
    }

    @Test func `an attempt that fails leaves time for an answer that is still to come`() {
        var race = ConnectionRace()
        race.learn(.ipv4, hasAddress: true, at: Self.at(0))
        #expect(race.step(at: Self.at(50)) == .attempt(.ipv4))
        race.failed(.ipv4, .refused)
        #expect(race.step(at: Self.at(80)) == nil)
        race.learn(.ipv6, hasAddress: false, at: Self.at(90))
        #expect(race.step(at: Self.at(90)) == .giveUp(.refused))
    }
}
