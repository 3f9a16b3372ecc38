import LinkModels
import Quantities
import Simulation
import Testing

@Suite struct SpuriousTimeoutTableTests {
    @Test func `a timeout while the line pauses is taken back, as in this table`() throws {
        // The wire stops at 40 ms for 400 ms; nothing is lost.
        let rate = Bitrate(bitsPerSecond: 8_000_000)
        let steady = try #require(RateSteps([.init(from: .zero, rate: rate)]))
        let paused = try #require(
            steady.interrupted(from: .milliseconds(40), to: .milliseconds(440)))
        var uplink = LinkPlan.plain("uplink")
        uplink.bottleneck = BottleneckPlan(
            schedule: .steps(paused), queue: .dropTail(limit: ByteCount(64_000)))
        let hosts = TwoHosts(uplink, .plain("downlink"))
        #expect(hosts.traceOfUpload(segments: 40) == Self.golden)
    }

    /// What left from 41.724 ms on waits. At 111.965 a probe with new content, for want of an
    /// answer; at 339.335 the timeout, by which all is lost. The first answer, at 461.552, bears
    /// the stamp of the original (RFC 3522, RFC 4015): nothing more is repeated, and the window is
    /// as before. The repetition that came in vain (483.000) brings an acknowledgement for each
    /// segment again.
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
           36.172  <      1 ack 5793
           37.672  <      1 ack 7241
           39.172  <      1 ack 8689
           40.672  <      1 ack 10137
           41.724  >      14481+1448 ack 1
           41.724  >      15929+1448 ack 1
           42.172  <      1 ack 11585
           43.224  >      17377+1448 ack 1
           43.224  >      18825+1448 ack 1
           43.672  <      1 ack 13033
           44.724  >      20273+1448 ack 1
           44.724  >      21721+1448 ack 1
           45.172  <      1 ack 14481
           46.224  >      23169+1448 ack 1
           46.224  >      24617+1448 ack 1
           47.724  >      26065+1448 ack 1
           47.724  >      27513+1448 ack 1
           49.224  >      28961+1448 ack 1
           49.224  >      30409+1448 ack 1
           50.724  >      31857+1448 ack 1
           50.724  >      33305+1448 ack 1
           52.224  >      34753+1448 ack 1
           52.224  >      36201+1448 ack 1
           53.724  >      37649+1448 ack 1
           53.724  >      39097+1448 ack 1
           55.224  >      40545+1448 ack 1
           55.224  >      41993+1448 ack 1
          111.965  >      43441+1448 ack 1
          339.335  >      14481+1448 ack 1
          451.500  <      1 ack 15929
          453.000  <      1 ack 17377
          454.500  <      1 ack 18825
          456.000  <      1 ack 20273
          457.500  <      1 ack 21721
          459.000  <      1 ack 23169
          461.552  >      44889+1448 ack 1
          462.000  <      1 ack 26065
          463.052  >      46337+1448 ack 1
          463.052  >      47785+1448 ack 1
          464.552  >      49233+1448 ack 1
          464.552  >      50681+1448 ack 1
          465.000  <      1 ack 28961
          466.052  >      52129+1448 ack 1
          466.052  >      53577+1448 ack 1
          467.552  >      55025+1448 ack 1
          467.552  >  FIN 56473+1448 ack 1
          468.000  <      1 ack 31857
          471.000  <      1 ack 34753
          474.000  <      1 ack 37649
          477.000  <      1 ack 40545
          480.000  <      1 ack 43441
          483.000  <      1 ack 44889
          484.500  <      1 ack 46337
          486.000  <      1 ack 47785
          487.500  <      1 ack 49233
          489.000  <      1 ack 50681
          490.500  <      1 ack 52129
          492.000  <      1 ack 53577
          493.500  <      1 ack 55025
          495.000  <      1 ack 56473
          496.500  <      1 ack 57922
          496.500  <  FIN 1 ack 57922
          506.604  >      57922 ack 2
        """
}
