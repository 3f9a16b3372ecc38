import Content
import LinkModels
import Quantities
import RunLog
import Simulation
import Testing

@Suite struct BurstLossTests {
    @Test func `three losses of a window are repaired in one round trip, as in the table`() throws {
        let hosts = try Self.transfer(of: 20, losing: [4, 6, 8])
        #expect(PacketTrace(hosts.packets).text == Self.golden)
    }

    /// The third block tells of all three losses. Of twelve segments in flight six may stay (RFC
    /// 6937): for two that arrive one leaves, and only when six are in flight one for one.
    static let golden = """
            0.000  >  SYN 0
           10.060  <  SYN 0 ack 1
           20.120  >      1 ack 1
           20.120  >      1+1448 ack 1
           20.120  >      1449+1448 ack 1
           20.120  >      2897+1448 ack 1  lost
           20.120  >      4345+1448 ack 1
           20.120  >      5793+1448 ack 1  lost
           20.120  >      7241+1448 ack 1
           20.120  >      8689+1448 ack 1  lost
           20.120  >      10137+1448 ack 1
           20.120  >      11585+1448 ack 1
           20.120  >      13033+1448 ack 1
           31.672  <      1 ack 1449
           33.172  <      1 ack 2897
           34.672  <      1 ack 2897
           36.172  <      1 ack 2897
           37.672  <      1 ack 2897
           39.172  <      1 ack 2897
           40.672  <      1 ack 2897
           41.724  >      14481+1448 ack 1
           41.724  >      15929+1448 ack 1
           43.224  >      17377+1448 ack 1
           43.224  >      18825+1448 ack 1
           44.736  >      20273+1448 ack 1
           46.244  >      21721+1448 ack 1
           47.752  >      2897+1448 ack 1
           50.752  >      5793+1448 ack 1
           53.224  <      1 ack 2897
           54.724  <      1 ack 2897
           56.224  <      1 ack 2897
           57.724  <      1 ack 2897
           59.224  <      1 ack 2897
           60.724  <      1 ack 2897
           62.224  <      1 ack 5793
           63.724  <      1 ack 8689
           66.304  >      8689+1448 ack 1
           67.804  >      23169+1448 ack 1
           69.304  >      24617+1448 ack 1
           70.804  >      26065+1448 ack 1
           72.296  >  FIN 27513+1448 ack 1
           77.804  <      1 ack 23169
           80.804  <      1 ack 26065
           83.804  <      1 ack 28962
           83.804  <  FIN 1 ack 28962
           93.908  >      28962 ack 2
        """

    @Test func `the first half of a window is lost and repaired without a timeout`()
        throws
    {
        // Of ten segments the first five. Too few round trips for doubling the window from one
        // segment on and a timeout of 200 ms at least.
        let hosts = try Self.transfer(of: 10, losing: Set(2...6))
        let sent = hosts.packets.filter { $0.kind == .sent && $0.link == 0 && $0.payload > 0 }
        #expect(sent.count == 15)
        #expect(hosts.network.now < Instant(nanoseconds: 150_000_000))
    }

    /// Lost by an overrun queue in slow start, and by chance.
    @Test(arguments: [0, 0.1, 1], [UInt64(1), 2, 3])
    func `as much is sent again as was dropped`(loss: Double, seed: UInt64) throws {
        let content = ContentRange.file(1, 30_000_000)
        let hosts = TwoHosts(
            .plain("uplink", megabits: 50, queue: 60_000, losing: loss),
            .plain("downlink", megabits: 50), seed: seed)
        hosts.open(sending: [.content(content)])
        hosts.play()
        #expect(hosts.received.values.first == [content])
        let up = hosts.packets.filter { $0.link == 0 && $0.payload > 0 }
        let sent = up.count { $0.kind == .sent }
        let dropped = up.count { $0.kind == .dropped }
        let repeated = sent - Int((content.length.bytes + 1447) / 1448)
        #expect(dropped > 0)
        #expect(repeated == dropped, "seed \(seed), loss \(loss) %")
    }

    private static func transfer(of segments: UInt64, losing lost: Set<Int>) throws -> TwoHosts {
        let pattern = try #require(LossPattern(on: "uplink", dropping: lost, ofFirst: 24))
        let hosts = TwoHosts(
            .plain("uplink", losing: pattern.percent), .plain("downlink"), seed: pattern.seed)
        hosts.open(sending: [.content(.file(1, segments * 1448))])
        hosts.play()
        #expect(hosts.received.values.first == [.file(1, segments * 1448)])
        return hosts
    }
}
