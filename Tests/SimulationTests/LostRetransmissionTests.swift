import LinkModels
import Quantities
import Simulation
import Testing

@Suite struct LostRetransmissionTests {
    @Test func `a repetition that is lost is sent again without a timeout, as in this table`() {
        // The third segment of content, and its repetition.
        let hosts = TwoHosts(.plain("uplink").losing([4, 18]), .plain("downlink"))
        #expect(hosts.traceOfUpload(segments: 30) == Self.golden)
    }

    /// The repetition leaves at 47.736 and is lost. What left after it, at 50.736, is the first to
    /// say so (72.300): in a recovery nothing that was sent before is waited for any longer (RFC
    /// 8985 §6.2).
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
           47.736  >      2897+1448 ack 1  lost
           50.736  >      23169+1448 ack 1
           53.224  <      1 ack 2897
           53.736  >      24617+1448 ack 1
           54.724  <      1 ack 2897
           56.224  <      1 ack 2897
           57.724  <      1 ack 2897
           59.224  <      1 ack 2897
           60.724  <      1 ack 2897
           62.236  <      1 ack 2897
           64.788  >      26065+1448 ack 1
           65.236  <      1 ack 2897
           69.288  >      27513+1448 ack 1
           70.788  >      28961+1448 ack 1
           72.300  >      2897+1448 ack 1
           72.300  >      30409+1448 ack 1
           75.300  >      31857+1448 ack 1
           76.288  <      1 ack 2897
           80.788  <      1 ack 2897
           82.288  <      1 ack 2897
           83.800  <      1 ack 30409
           86.352  >      33305+1448 ack 1
           86.800  <      1 ack 33305
           90.852  >      34753+1448 ack 1
           92.352  >      36201+1448 ack 1
           93.852  >      37649+1448 ack 1
           96.852  >      39097+1448 ack 1
           96.852  >      40545+1448 ack 1
          102.352  <      1 ack 36201
          105.352  <      1 ack 39097
          109.852  <      1 ack 41993
          112.404  >  FIN 41993+1448 ack 1
          123.904  <      1 ack 43442
          123.904  <  FIN 1 ack 43442
          134.008  >      43442 ack 2
        """
}
