import LinkModels
import Quantities
import RunLog
import Simulation
import Testing

@Suite struct TailLossProbeTests {
    @Test func `a lost tail is found by a probe after two round trips, as in this table`() throws {
        // Of ten segments and a FIN the last two and the FIN.
        let hosts = TwoHosts(.plain("uplink").losing([10, 11, 12]), .plain("downlink"))
        #expect(hosts.traceOfUpload(segments: 10) == Self.golden)
    }

    /// Smoothed 25.217 ms at 52.224; the probe leaves after twice that and 2 ms. Its block shows
    /// both losses, for what left at 20.120 has long had time enough; after one repetition (RFC
    /// 6937) each arrival allows the next.
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
           20.120  >      11585+1448 ack 1  lost
           20.120  >      13033+1448 ack 1  lost
           20.120  >  FIN 14481 ack 1  lost
           31.672  <      1 ack 1449
           33.172  <      1 ack 2897
           34.672  <      1 ack 4345
           36.172  <      1 ack 5793
           37.672  <      1 ack 7241
           39.172  <      1 ack 8689
           40.672  <      1 ack 10137
           42.172  <      1 ack 11585
          104.658  >  FIN 14481 ack 1
          114.710  <      1 ack 11585
          124.774  >      11585+1448 ack 1
          136.274  <      1 ack 13033
          146.338  >      13033+1448 ack 1
          157.838  <      1 ack 14482
          157.838  <  FIN 1 ack 14482
          167.942  >      14482 ack 2
        """
}
