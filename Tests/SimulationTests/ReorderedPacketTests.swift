import Content
import LinkModels
import Quantities
import Simulation
import Testing

@Suite struct ReorderedPacketTests {
    @Test func `a packet that two overtake is not sent again, as in this table`() throws {
        let hosts = try Self.transfer(holding: .microseconds(2_900))
        #expect(PacketTrace(hosts.packets).text == Self.golden)
    }

    @Test func `a packet that many overtake is sent again once, and that is taken back`() throws {
        let hosts = try Self.transfer(holding: .microseconds(8_900))
        #expect(PacketTrace(hosts.packets).text == Self.goldenOfFalseAlarm)
    }

    /// The fourth segment of content is held back.
    private static func transfer(holding hold: TimeSpan) throws -> TwoHosts {
        let pattern = try #require(
            LossPattern(on: "uplink", stage: "reorder", dropping: [5], ofFirst: 24))
        let hosts = TwoHosts(
            .plain("uplink").holding(hold, percent: pattern.percent), .plain("downlink"),
            seed: pattern.seed)
        let content = ContentRange.file(1, 16 * 1448)
        hosts.open(sending: [.content(content)])
        hosts.play()
        #expect(hosts.received.values.first == [content])
        return hosts
    }

    /// One block beyond a hole (37.672) proves nothing, and a quarter of a round trip has not
    /// passed when the hole is filled.
    static let golden = """
            0.000  >  SYN 0
           10.060  <  SYN 0 ack 1
           20.120  >      1 ack 1
           20.120  >      1+1448 ack 1
           20.120  >      1449+1448 ack 1
           20.120  >      2897+1448 ack 1
           20.120  >      4345+1448 ack 1
           20.120  >      5793+1448 ack 1
           20.120  >      7241+1448 ack 1
           20.120  >      8689+1448 ack 1
           20.120  >      10137+1448 ack 1
           20.120  >      11585+1448 ack 1
           20.120  >      13033+1448 ack 1
           31.672  <      1 ack 1449
           33.172  <      1 ack 2897
           34.672  <      1 ack 4345
           37.672  <      1 ack 4345
           39.072  <      1 ack 7241
           39.172  <      1 ack 8689
           40.672  <      1 ack 10137
           41.724  >      14481+1448 ack 1
           41.724  >      15929+1448 ack 1
           42.172  <      1 ack 11585
           43.224  >      17377+1448 ack 1
           43.224  >      18825+1448 ack 1
           43.672  <      1 ack 13033
           44.724  >      20273+1448 ack 1
           44.724  >  FIN 21721+1448 ack 1
           45.172  <      1 ack 14481
           53.224  <      1 ack 15929
           54.724  <      1 ack 17377
           56.224  <      1 ack 18825
           57.724  <      1 ack 20273
           59.224  <      1 ack 21721
           60.724  <      1 ack 23170
           60.724  <  FIN 1 ack 23170
           70.828  >      23170 ack 2
        """

    /// The third block beyond the hole arrives at 50.736. At 55.124 the hole is filled, and the
    /// stamp in the answer is older than the repetition (RFC 3522): the window is what it was. The
    /// repetition finds nobody (62.236).
    static let goldenOfFalseAlarm = """
            0.000  >  SYN 0
           10.060  <  SYN 0 ack 1
           20.120  >      1 ack 1
           20.120  >      1+1448 ack 1
           20.120  >      1449+1448 ack 1
           20.120  >      2897+1448 ack 1
           20.120  >      4345+1448 ack 1
           20.120  >      5793+1448 ack 1
           20.120  >      7241+1448 ack 1
           20.120  >      8689+1448 ack 1
           20.120  >      10137+1448 ack 1
           20.120  >      11585+1448 ack 1
           20.120  >      13033+1448 ack 1
           31.672  <      1 ack 1449
           33.172  <      1 ack 2897
           34.672  <      1 ack 4345
           37.672  <      1 ack 4345
           39.172  <      1 ack 4345
           40.672  <      1 ack 4345
           41.724  >      14481+1448 ack 1
           41.724  >      15929+1448 ack 1
           42.172  <      1 ack 4345
           43.224  >      17377+1448 ack 1
           43.224  >      18825+1448 ack 1
           43.672  <      1 ack 4345
           44.724  >      20273+1448 ack 1
           44.724  >  FIN 21721+1448 ack 1
           45.072  <      1 ack 13033
           45.172  <      1 ack 14481
           50.736  >      4345+1448 ack 1
           53.224  <      1 ack 15929
           54.724  <      1 ack 17377
           56.224  <      1 ack 18825
           57.724  <      1 ack 20273
           59.224  <      1 ack 21721
           60.724  <      1 ack 23170
           60.724  <  FIN 1 ack 23170
           62.236  <      2 ack 23170
           70.828  >      23170 ack 2
        """
}
