import Content
import LinkModels
import Quantities
import RunLog
import Simulation
import Testing

/// The clock counts to 2⁶³ ns; what would happen later does not happen.
@Suite struct EndOfTimeTests {
    @Test(arguments: [UInt64(1), 15, 25, 45, 1_000])
    func `a transfer that the end of time overtakes just stops`(milliseconds: UInt64) throws {
        let hosts = TwoHosts(
            .plain("uplink", losing: 5), .plain("downlink", losing: 5), seed: milliseconds)
        let begin = Instant(nanoseconds: Instant.end.nanoseconds - milliseconds * 1_000_000)
        hosts.network.setTimer(slot: 0, at: begin)
        hosts.play(until: begin)
        #expect(hosts.events == [.timer(slot: 0)])
        hosts.open(sending: [.content(.file(1, 100_000_000))])
        hosts.play(until: .end)
        #expect(hosts.network.now < .end)
        #expect(hosts.network.nextEventTime == nil)
        #expect(hosts.packets.allSatisfy { $0.atNanoseconds < Instant.end.nanoseconds })
        let arrived = hosts.packets.contains { $0.kind == .delivered }
        #expect(arrived == (milliseconds > 10))
    }

    @Test func `the last nanosecond is carried out, and nothing after it`() {
        let hosts = TwoHosts(.plain("uplink"), .plain("downlink"))
        let last = Instant(nanoseconds: Instant.end.nanoseconds - 1)
        hosts.network.setTimer(slot: 1, at: last)
        hosts.network.setTimer(slot: 2, at: last + .seconds(1))
        hosts.network.setTimer(slot: 3, at: Instant(nanoseconds: .max))
        hosts.play(until: .end)
        #expect(hosts.events == [.timer(slot: 1)])
        #expect(hosts.network.now == last)
    }
}
