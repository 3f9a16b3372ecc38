import LinkModels
import Quantities
import Simulation
import Testing

/// What was sent again in vain, and what its sender learns from hearing so.
@Suite struct NeedlessRepetitionTests {
    @Test func `a timeout for lost acknowledgements is taken back, as in this table`() {
        // Those of the first flight and of the probe after it.
        let hosts = TwoHosts(.plain("uplink"), .plain("downlink").losing(Array(1...11)))
        #expect(hosts.traceOfUpload(segments: 24) == Self.goldenOfTimeout)
    }

    @Test func `what was overtaken once is waited for the next time, as in this table`() throws {
        // The fourth and the 28th segment of content are held back for as long.
        let pattern = try #require(
            LossPattern(on: "uplink", stage: "reorder", dropping: [5, 30], ofFirst: 46))
        let hosts = TwoHosts(
            .plain("uplink").holding(.microseconds(11_900), percent: pattern.percent),
            .plain("downlink"), seed: pattern.seed)
        #expect(hosts.traceOfUpload(segments: 36) == Self.goldenOfReordering)
    }

    /// All content of the first flight arrives, and so does the probe's at 62.360; their answers
    /// are lost. The timeout's repetition (282.480) comes in vain, and its answer bears its own
    /// stamp, so that stamps tell nothing; but the first block of the answer says that this segment
    /// came twice (RFC 2883). At 304.044 the window is that of before, and grown by all that
    /// arrived: everything can leave.
    static let goldenOfTimeout = """
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
           31.672  <      1 ack 1449  lost
           33.172  <      1 ack 2897  lost
           34.672  <      1 ack 4345  lost
           36.172  <      1 ack 5793  lost
           37.672  <      1 ack 7241  lost
           39.172  <      1 ack 8689  lost
           40.672  <      1 ack 10137  lost
           42.172  <      1 ack 11585  lost
           43.672  <      1 ack 13033  lost
           45.172  <      1 ack 14481  lost
           62.360  >      14481+1448 ack 1
           73.860  <      1 ack 15929  lost
          282.480  >      1+1448 ack 1
          293.980  <      1 ack 15929
          304.044  >      15929+1448 ack 1
          304.044  >      17377+1448 ack 1
          304.044  >      18825+1448 ack 1
          304.044  >      20273+1448 ack 1
          304.044  >      21721+1448 ack 1
          304.044  >      23169+1448 ack 1
          304.044  >      24617+1448 ack 1
          304.044  >      26065+1448 ack 1
          304.044  >      27513+1448 ack 1
          304.044  >      28961+1448 ack 1
          304.044  >      30409+1448 ack 1
          304.044  >      31857+1448 ack 1
          304.044  >  FIN 33305+1448 ack 1
          315.544  <      1 ack 17377
          317.044  <      1 ack 18825
          318.544  <      1 ack 20273
          320.044  <      1 ack 21721
          321.544  <      1 ack 23169
          323.044  <      1 ack 24617
          324.544  <      1 ack 26065
          326.044  <      1 ack 27513
          327.544  <      1 ack 28961
          329.044  <      1 ack 30409
          330.544  <      1 ack 31857
          332.044  <      1 ack 33305
          333.544  <      1 ack 34754
          333.544  <  FIN 1 ack 34754
          343.648  >      34754 ack 2
        """
    /// What left at 20.120 and was overtaken is sent again at 50.736, in vain: stamps show that at
    /// 58.124, and with the answer at 65.224 its receiver says that it came twice. From now on late
    /// arrivals are given half of a round trip, 10.8 ms; a quarter would not be enough for the
    /// segment that left at 64.776 and comes as late as the first (93.524), behind seven others.
    static let goldenOfReordering = """
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
           44.724  >      21721+1448 ack 1
           45.172  <      1 ack 4345
           47.736  >      23169+1448 ack 1
           48.072  <      1 ack 14481
           49.236  >      24617+1448 ack 1
           50.736  >      4345+1448 ack 1
           53.224  <      1 ack 15929
           53.736  >      26065+1448 ack 1
           54.724  <      1 ack 17377
           56.224  <      1 ack 18825
           57.724  <      1 ack 20273
           58.124  >      27513+1448 ack 1
           58.124  >      28961+1448 ack 1
           58.124  >      30409+1448 ack 1
           58.124  >      31857+1448 ack 1
           58.124  >      33305+1448 ack 1
           59.224  <      1 ack 21721
           60.724  <      1 ack 23169
           63.276  >      34753+1448 ack 1
           63.276  >      36201+1448 ack 1
           63.724  <      1 ack 26065
           64.776  >      37649+1448 ack 1
           64.776  >      39097+1448 ack 1
           65.224  <      1 ack 26065
           66.276  >      40545+1448 ack 1
           66.276  >      41993+1448 ack 1
           66.724  <      1 ack 27513
           67.776  >      43441+1448 ack 1
           67.776  >      44889+1448 ack 1
           69.276  >      46337+1448 ack 1
           69.276  >      47785+1448 ack 1
           69.624  <      1 ack 28961
           70.776  >      49233+1448 ack 1
           70.776  >  FIN 50681+1448 ack 1
           71.124  <      1 ack 30409
           72.624  <      1 ack 31857
           74.124  <      1 ack 33305
           75.624  <      1 ack 34753
           77.124  <      1 ack 36201
           78.624  <      1 ack 37649
           80.124  <      1 ack 39097
           83.124  <      1 ack 39097
           84.624  <      1 ack 39097
           86.124  <      1 ack 39097
           87.624  <      1 ack 39097
           89.124  <      1 ack 39097
           90.624  <      1 ack 39097
           92.124  <      1 ack 39097
           93.524  <      1 ack 50681
           93.624  <      1 ack 52130
           93.624  <  FIN 1 ack 52130
          103.728  >      52130 ack 2
        """
}
