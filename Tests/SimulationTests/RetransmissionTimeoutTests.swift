import Content
import LinkModels
import Quantities
import RunLog
import Testing

@Suite struct RetransmissionTimeoutTests {
    @Test func `a lost tail is sent again after the timeout, which doubles while that is lost too`()
        throws
    {
        // SYN, ACK, four segments, FIN: what is lost are the last two, a probe and a repetition.
        let pattern = try #require(LossPattern(on: "uplink", dropping: [5, 6, 7, 8], ofFirst: 12))
        let hosts = TwoHosts(
            .plain("uplink", losing: pattern.percent), .plain("downlink"), seed: pattern.seed)
        #expect(hosts.traceOfUpload(segments: 4) == Self.golden)
    }

    /// Measured: 20.120, 21.604, 23.104 and 24.604 ms; smoothed 21.149 ms. From 44.724 ms on: a
    /// probe after twice that and 2 ms, then with 200 ms for variation 221.149 ms, then twice as
    /// long. The FIN waits for its turn.
    static let golden = """
            0.000  >  SYN 0
           10.060  <  SYN 0 ack 1
           20.120  >      1 ack 1
           20.120  >      1+1448 ack 1
           20.120  >      1449+1448 ack 1
           20.120  >      2897+1448 ack 1
           20.120  >      4345+1448 ack 1  lost
           20.120  >  FIN 5793 ack 1  lost
           31.672  <      1 ack 1449
           33.172  <      1 ack 2897
           34.672  <      1 ack 4345
           89.021  >  FIN 5793 ack 1  lost
          310.170  >      4345+1448 ack 1  lost
          752.468  >      4345+1448 ack 1
          763.968  <      1 ack 5793
          774.020  >  FIN 5793 ack 1
          784.072  <      1 ack 5794
          784.072  <  FIN 1 ack 5794
          794.176  >      5794 ack 2
        """

    @Test func `after a timeout what was lost is sent once more, and nothing else`() throws {
        // Of ten segments the last three are lost: too few duplicates to notice.
        let pattern = try #require(
            LossPattern(on: "uplink", dropping: [9, 10, 11], ofFirst: 20))
        let hosts = TwoHosts(
            .plain("uplink", losing: pattern.percent), .plain("downlink"), seed: pattern.seed)
        hosts.open(sending: [.content(.file(1, 10 * 1448))])
        hosts.play()
        #expect(hosts.received.values.first == [.file(1, 10 * 1448)])
        let again = hosts.packets.filter { $0.kind == .sent && $0.link == 0 && $0.payload > 0 }
        #expect(again.count == 13)
    }
}
