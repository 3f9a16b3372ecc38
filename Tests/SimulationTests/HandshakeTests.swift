import Content
import LinkModels
import Quantities
import RunLog
import Simulation
import Testing

@Suite struct HandshakeTests {
    @Test func `a connection opens, carries a little and is ended by both sides, as in this table`()
    {
        let hosts = TwoHosts(.plain("uplink"), .plain("downlink"))
        hosts.answer = [.content(.file(2, 100))]
        hosts.open(sending: [.content(.file(1, 2_000))])
        hosts.play()
        #expect(PacketTrace(hosts.packets).text == Self.golden)
        #expect(hosts.events.contains { if case .accepted = $0 { true } else { false } })
        #expect(Set(hosts.ends.values) == [.closed])
        #expect(hosts.ends.count == 2)
    }

    /// 60 bytes of SYN take 60 µs at 8 Mbit/s, and every way takes 10 ms.
    static let golden = """
            0.000  >  SYN 0
           10.060  <  SYN 0 ack 1
           20.120  >      1 ack 1
           20.120  >      1+1448 ack 1
           20.120  >      1449+552 ack 1
           20.120  >  FIN 2001 ack 1
           30.172  <      1+100 ack 1
           31.672  <      101 ack 1449
           32.276  <      101 ack 2001
           32.328  <      101 ack 2002
           32.328  <  FIN 101 ack 2002
           40.324  >      2002 ack 101
           42.432  >      2002 ack 102
        """

    @Test(arguments: [1, 2]) func `a lost SYN is sent again after one second, then two`(
        losses: Int
    ) throws {
        let pattern = try #require(
            LossPattern(on: "uplink", dropping: Set(0..<losses), ofFirst: 10))
        let hosts = TwoHosts(
            .plain("uplink", losing: pattern.percent), .plain("downlink"), seed: pattern.seed)
        hosts.open(sending: [.content(.file(1, 5_000))])
        hosts.play()
        let sent = hosts.packets.filter { $0.kind == .sent && $0.flags == .syn }
        #expect(
            sent.map(\.atNanoseconds)
                == [0, 1_000_000_000, 3_000_000_000].prefix(losses + 1).map { $0 })
        #expect(hosts.received.values.first == [.file(1, 5_000)])
        // RFC 5681 §3.1: such a connection begins with one segment.
        let first = hosts.packets.filter { $0.kind == .sent && $0.link == 0 && $0.payload > 0 }
        #expect(first.prefix(2).map(\.payload) == [1448, 1448])
        #expect(first[0].atNanoseconds < first[1].atNanoseconds)
    }

    @Test func `a lost answer to the SYN is sent again`() throws {
        let pattern = try #require(LossPattern(on: "downlink", dropping: [0], ofFirst: 10))
        let hosts = TwoHosts(
            .plain("uplink"), .plain("downlink", losing: pattern.percent), seed: pattern.seed)
        hosts.open(sending: [.content(.file(1, 5_000))])
        hosts.play()
        #expect(hosts.received.values.first == [.file(1, 5_000)])
        #expect(Set(hosts.ends.values) == [.closed])
    }

    @Test func `nobody listens: the connection is refused after one round trip`() throws {
        let hosts = TwoHosts(.plain("uplink"), .plain("downlink"))
        hosts.open(listening: false)
        hosts.play()
        let client = try #require(hosts.client)
        #expect(hosts.events == [.ended(client, .refused)])
        // 60 µs and 52 µs on the wires, 10 ms each way.
        #expect(hosts.network.now == Instant(nanoseconds: 20_112_000))
    }

    @Test func `nobody answers: the connection times out after seven SYNs and 127 s`() throws {
        let hosts = TwoHosts(.plain("uplink", losing: 100), .plain("downlink"))
        hosts.open()
        hosts.play()
        let client = try #require(hosts.client)
        #expect(hosts.events == [.ended(client, .timedOut)])
        #expect(hosts.packets.count { $0.kind == .sent } == 7)
        #expect(hosts.network.now == Instant(nanoseconds: 127_000_000_000))
    }
}
