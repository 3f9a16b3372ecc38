import Content
import LinkModels
import Quantities
import RunPlan
import Simulation
import Testing

/// RFC 9438 §5.1, table 1, through the whole network: every n-th packet is lost, a round trip takes
/// 100 ms, and nothing ever waits.
///
/// The table takes the larger of two averages, Reno's and the curve's; a sender is at the larger of
/// two windows at each moment, and so above it where both are near each other (p = 1/1000).
@Suite struct ResponseFunctionTests {
    @Test(arguments: [(UInt64(1_000), 38.0, Int64(60), Int64(400)), (10_000, 187, 40, 120)])
    func `under periodic loss the average window is the response function's`(
        period: UInt64, expected: Double, start: Int64, seconds: Int64
    ) throws {
        var uplink = Self.way("uplink")
        uplink.filters = [.periodicLoss(period: period)]
        let hosts = TwoHosts(uplink, Self.way("downlink"), controller: .cubic)
        hosts.open(sending: [.content(.file(1, 1_000_000_000_000))])
        // The start and the losses that follow from it are left out.
        let begin = Instant.start + .seconds(start)
        hosts.play(until: begin)
        let before = try Self.received(by: hosts)
        hosts.play(until: begin + .seconds(seconds))
        let bytes = try Self.received(by: hosts) - before
        let window = Double(bytes) / 1448 / Double(seconds) / 10
        #expect(window > 0.9 * expected && window < 1.1 * expected, "\(window)")
    }

    private static func way(_ name: String) -> LinkPlan {
        .plain(name, megabits: 10_000, delay: .milliseconds(50), queue: 10_000_000)
    }

    private static func received(by hosts: TwoHosts) throws -> UInt64 {
        let server = try #require(hosts.server)
        return hosts.received[server, default: []].map(\.length.bytes).reduce(0, +)
    }
}
