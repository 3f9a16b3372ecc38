import LinkModels
import Quantities
import RunLog
import Simulation
import Testing

@Suite struct FastRetransmitTests {
    @Test func `a single loss is repaired at the third block beyond it, as in this table`() throws {
        // Packet 4 of the uplink is the third segment of content, after SYN and the first ACK.
        let pattern = try #require(LossPattern(on: "uplink", dropping: [4], ofFirst: 40))
        let hosts = TwoHosts(
            .plain("uplink", losing: pattern.percent), .plain("downlink"), seed: pattern.seed)
        #expect(hosts.traceOfUpload(segments: 20) == Self.golden)
    }

    /// Two duplicates bring a new segment each; the third (47.736) shows the loss of one out of 14
    /// outstanding, and with the repetition 11 are in flight. The window of 12 is halved: for two
    /// that arrive one leaves (50.736, 53.736, 64.788) until 6 are in flight; from then on one for
    /// one (RFC 6937).
    static let golden = """
            0.000  >  SYN 0
           10.060  <  SYN 0 ack 1
           20.120  >      1 ack 1
           20.120  >      1+1448 ack 1
           20.120  >      1449+1448 ack 1
           20.120  >      2897+1448 ack 1  lost
           20.120  >      4345+1448 ack 1
           20.120  >      5793+1448 ack 1
           20.120  >      7241+1448 ack 1
           20.120  >      8689+1448 ack 1
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
           42.172  <      1 ack 2897
           43.224  >      17377+1448 ack 1
           43.224  >      18825+1448 ack 1
           43.672  <      1 ack 2897
           44.736  >      20273+1448 ack 1
           46.236  >      21721+1448 ack 1
           47.736  >      2897+1448 ack 1
           50.736  >      23169+1448 ack 1
           53.224  <      1 ack 2897
           53.736  >      24617+1448 ack 1
           54.724  <      1 ack 2897
           56.224  <      1 ack 2897
           57.724  <      1 ack 2897
           59.224  <      1 ack 2897
           60.724  <      1 ack 2897
           62.224  <      1 ack 23169
           64.788  >      26065+1448 ack 1
           65.236  <      1 ack 26065
           69.288  >  FIN 27513+1448 ack 1
           80.788  <      1 ack 28962
           80.788  <  FIN 1 ack 28962
           90.892  >      28962 ack 2
        """
}
