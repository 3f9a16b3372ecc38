import Facts
import Quantities
import Testing

/// How fast a bulk flow is by the literature, beside numbers from its pages.
@Suite struct BulkFlowTests {
    /// Faster than any flow here.
    private static let unlimited = Bitrate(bitsPerSecond: 1_000_000_000_000_000)

    private static func window(
        _ controller: BulkFlow.Controller, _ milliseconds: Int64, percent: Double
    ) throws -> Double {
        let chance = try #require(Probability(percent: percent))
        let flow = BulkFlow(controller, roundTrip: .milliseconds(milliseconds))
        let seconds = Double(milliseconds) / 1_000
        return flow.packetsPerSecond(at: unlimited, losing: chance) * seconds
    }

    /// RFC 9438 §5.1, tables 1 and 2: the mean windows of CUBIC with C = 0.4. The tables take 1.2
    /// for the square root of 3/2 where CUBIC is as slow as Reno.
    @Test(arguments: [
        (100, 1, 12), (100, 0.1, 38), (100, 0.01, 187), (100, 0.001, 1_054), (100, 0.0001, 5_926),
        (10, 1, 12), (10, 0.1, 38), (10, 0.01, 120), (10, 0.001, 379), (10, 0.00001, 5_926),
    ]) func `cubic has the windows of RFC 9438`(
        milliseconds: Int64, percent: Double, packets: Double
    ) throws {
        let window = try Self.window(.cubic, milliseconds, percent: percent)
        #expect(abs(window / packets - 1) < 0.025, "\(window)")
    }

    /// By hand, with p = 0.01, R = 0.06 s, t_RTO = 0.26 s, b = 1: R √(2p/3) = 4.89898 ms, and t_RTO
    /// 3 √(3p/8) p (1 + 32 p²) = 0.479179 ms.
    @Test func `reno has the rate of RFC 5348`() throws {
        let chance = try #require(Probability(percent: 1))
        let rate = BulkFlow(.reno, roundTrip: .milliseconds(60))
            .packetsPerSecond(at: Self.unlimited, losing: chance)
        #expect(abs(rate - 1 / 0.005378159) < 0.001, "\(rate)")
    }

    @Test(arguments: BulkFlow.Controller.allCases) func `none exceeds its link`(
        controller: BulkFlow.Controller
    ) {
        let flow = BulkFlow(controller, roundTrip: .milliseconds(60))
        let rate = Bitrate(bitsPerSecond: 12_000_000)
        #expect(flow.packetsPerSecond(at: rate, losing: .never) == 1_000)
    }
}
