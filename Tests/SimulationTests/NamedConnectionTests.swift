import Content
import LinkModels
import Quantities
import RunLog
import RunPlan
import Testing

@testable import Simulation

/// Connections by name over links of 8 Mbit/s and 10 ms each way: a byte takes a microsecond.
///
/// A question has 53 bytes with IP and UDP headers, an answer 53, 69 with an IPv4 address, or 81
/// with an IPv6 address.
@Suite struct NamedConnectionTests {
    private static let limit = Instant.start + .seconds(60)
    private static let content = [Segment.content(.file(1, 20_000))]

    private static func hosts(
        _ change: (inout NamePlan) -> Void = { _ in }, losing: FilterPlan? = nil,
        ties: UInt64? = nil
    ) -> TwoHosts {
        var names = NamePlan()
        names.answer = .milliseconds(40)
        names.keep = .seconds(60)
        names.addresses = [.ipv6, .ipv4]
        change(&names)
        var downlink = LinkPlan.plain("downlink")
        if let losing { downlink.filters.append(losing) }
        return TwoHosts(
            [InterfacePlan(uplink: .plain("uplink"), downlink: downlink)], names: names,
            ties: ties)
    }

    /// Calls and sends a little, and plays to the end.
    private static func play(_ hosts: TwoHosts) -> StreamHandle {
        let client = hosts.call(sending: content)
        hosts.play(until: limit)
        return client
    }

    private static func attempts(_ hosts: TwoHosts) -> [(AddressFamily, Instant)] {
        hosts.facts.compactMap { event in
            guard case .connection(.attempt(_, let family, _, _)) = event.fact else { return nil }
            return (family, event.at)
        }
    }

    private static func answers(_ hosts: TwoHosts) -> [NameAnswer] {
        hosts.facts.compactMap { event in
            if case .network(.nameAnswered(_, let answer)) = event.fact { answer } else { nil }
        }
    }

    private static func questions(_ hosts: TwoHosts) -> Int {
        hosts.facts.count { event in
            if case .network(.nameAsked) = event.fact { true } else { false }
        }
    }

    private static func expect(
        _ hosts: TwoHosts, _ expected: [(AddressFamily, UInt64)],
        _ place: SourceLocation = #_sourceLocation
    ) {
        let seen = attempts(hosts).map { "\($0.0.name) \($0.1.nanoseconds / 1_000) µs" }
        #expect(
            seen == expected.map { "\($0.0.name) \($0.1) µs" }, sourceLocation: place)
    }

    @Test func `an answer takes the way there, the resolver's time and the way back`() {
        let hosts = Self.hosts()
        let client = Self.play(hosts)
        // 53 + 10 000, then 40 000, then 81 + 10 000 microseconds
        Self.expect(hosts, [(.ipv6, 60_134)])
        #expect(hosts.events.first == .connected(client))
        #expect(hosts.received.values.map { $0.reduce(0) { $0 + $1.length.bytes } } == [20_000])
        #expect(hosts.ends[client] == .closed)
        #expect(hosts.network.interface(of: client) == 0)
    }

    @Test func `without an IPv6 address the connection begins with the answer about IPv4`() {
        let hosts = Self.hosts { $0.addresses = [.ipv4] }
        _ = Self.play(hosts)
        // The second question leaves 53 microseconds later, and the answer has 69 bytes.
        Self.expect(hosts, [(.ipv4, 60_175)])
        #expect(Self.answers(hosts) == [.noAddress, .address])
    }

    @Test func `a black hole costs 250 ms`() {
        let hosts = Self.hosts { $0.ipv6 = .blackHole }
        let client = Self.play(hosts)
        Self.expect(hosts, [(.ipv6, 60_134), (.ipv4, 310_134)])
        #expect(hosts.events.first == .connected(client))
        #expect(hosts.ends[client] == .closed)
    }

    @Test func `a refusal costs a round trip`() {
        let hosts = Self.hosts { $0.ipv6 = .refused }
        let client = Self.play(hosts)
        // A SYN has 60 bytes, its reset 40 and its timestamps.
        let second = Self.attempts(hosts)[1]
        #expect(second.0 == .ipv4)
        #expect(second.1 - Self.attempts(hosts)[0].1 < .milliseconds(21))
        #expect(hosts.ends[client] == .closed)
    }

    @Test func `IPv4 does not wait for an answer about IPv6 that is lost`() {
        let hosts = Self.hosts(losing: .listedLoss([0]))
        _ = Self.play(hosts)
        // The answer about IPv4 comes behind the lost one, which has taken no time on the link.
        let first = Self.attempts(hosts)[0]
        #expect(first.0 == .ipv4)
        #expect(first.1.nanoseconds / 1_000 == 60_175 + 50_000)
    }

    @Test func `a lost answer is asked for again after 5 s, and given up after 10 s`() {
        let hosts = Self.hosts(losing: .blackHole(.init(from: .start, until: .end)))
        let client = Self.play(hosts)
        #expect(Self.questions(hosts) == 4)
        #expect(Self.answers(hosts) == [.silence, .silence])
        #expect(hosts.events == [.ended(client, .notFound)])
        #expect(hosts.facts.last { $0.at == .start + .seconds(10) } != nil)
        #expect(Self.attempts(hosts).isEmpty)
    }

    @Test(arguments: NamePlan.Failure.Kind.allCases)
    func `a resolver that fails leaves the server unknown`(kind: NamePlan.Failure.Kind) {
        let hosts = Self.hosts {
            $0.failure = .init(from: .start, until: .start + .seconds(20), kind: kind)
        }
        let client = Self.play(hosts)
        #expect(hosts.events == [.ended(client, .notFound)])
        #expect(Self.answers(hosts).map(\.rawValue) == [kind.rawValue, kind.rawValue])
    }

    @Test func `what is known is not asked for again, until it is too old`() {
        let hosts = Self.hosts { $0.keep = .seconds(5) }
        _ = Self.play(hosts)
        #expect(Self.questions(hosts) == 2)
        for (number, later) in [(2, 4), (3, 6)] as [(UInt32, Int64)] {
            hosts.network.setTimer(slot: 0, at: .start + .seconds(later))
            hosts.play(until: .start + .seconds(later))
            let before = Self.attempts(hosts).count
            hosts.call(number, sending: Self.content)
            hosts.play(until: .start + .milliseconds(later * 1_000 + 500))
            let waited = Self.attempts(hosts)[before].1 - (.start + .seconds(later))
            #expect((waited == .zero) == (number == 2))
        }
        #expect(Self.questions(hosts) == 4)
    }

    @Test func `a network takes its answers with it`() {
        let hosts = Self.hosts()
        _ = Self.play(hosts)
        hosts.network.setTimer(slot: 0, at: .start + .seconds(2))
        hosts.play(until: .start + .seconds(2))
        hosts.network.take(0, down: true)
        hosts.network.take(0, down: false)
        hosts.call(2, sending: Self.content)
        hosts.play(until: Self.limit)
        #expect(Self.questions(hosts) == 4)
    }

    @Test func `calls at the same time share a question`() {
        let hosts = Self.hosts()
        hosts.call(1)
        hosts.call(2)
        hosts.play(until: Self.limit)
        #expect(Self.questions(hosts) == 2)
        Self.expect(hosts, [(.ipv6, 60_134), (.ipv6, 60_134)])
    }

    @Test func `a call that is given up before an answer ends at once`() {
        for (end, giveUp) in [
            (.networkLost, { $0.network.lose($1) }), (.closed, { $0.network.finish($1) }),
            (.aborted, { $0.network.reset($1) }),
        ] as [(ConnectionEnd, (TwoHosts, StreamHandle) -> Void)] {
            let hosts = Self.hosts()
            let client = hosts.call()
            giveUp(hosts, client)
            hosts.play(until: Self.limit)
            #expect(hosts.events == [.ended(client, end)])
            #expect(Self.attempts(hosts).isEmpty)
            hosts.network.release(client)
        }
    }

    @Test func `a call of a process that dies vanishes with its attempts`() {
        let hosts = Self.hosts { $0.ipv6 = .blackHole }
        let client = hosts.call()
        hosts.play(until: .start + .milliseconds(100))
        hosts.network.abandon(client)
        hosts.play(until: Self.limit)
        #expect(hosts.events.isEmpty)
        Self.expect(hosts, [(.ipv6, 60_134)])
    }

    @Test func `the order of ties changes nothing`() {
        for ties in 1...3 as ClosedRange<UInt64> {
            let hosts = Self.hosts({ $0.ipv6 = .blackHole }, ties: ties)
            _ = Self.play(hosts)
            Self.expect(hosts, [(.ipv6, 60_134), (.ipv4, 310_134)])
        }
    }

    @Test func `a clone goes on like the original`() {
        let hosts = Self.hosts { $0.ipv6 = .blackHole }
        hosts.call(sending: Self.content)
        hosts.play(until: .start + .milliseconds(50))
        var other = hosts.network.clone()
        let events = Self.events(of: &other)
        #expect(events == Self.events(of: &hosts.network))
        #expect(events.first?.hasPrefix("330") == true, "\(events)")
    }

    /// Plays a network to the end; its hosts do nothing.
    private static func events(of network: inout VirtualNetwork) -> [String] {
        var events: [String] = []
        while network.advance(until: limit) {
            while let event = network.takeEvent() {
                events.append("\(network.now.nanoseconds / 1_000_000) \(event)")
            }
        }
        return events
    }
}
