import Content
import LinkModels
import Quantities
import RunLog
import RunPlan
import Simulation
import Testing

/// What BBR must not take for the path's rate: what its application asks for, and what it asks for
/// itself while it looks at the round trip.
@Suite struct BBRMarksTests {
    @Test func `thirty single segments and a pause leave the rate as it was`() throws {
        let hosts = TwoHosts(
            .plain("uplink", megabits: 100, delay: .milliseconds(20), queue: 500_000),
            .plain("downlink", megabits: 100, delay: .milliseconds(20)), controller: .bbr)
        hosts.staysOpen = true
        hosts.open(sending: [.content(.file(1, 6_000_000))])
        hosts.play()
        let before = try Self.time(for: 2_000_000, by: hosts)
        for _ in 0..<30 {
            try Self.pause(.milliseconds(50), hosts)
            _ = try Self.time(for: 1_448, by: hosts)
        }
        try Self.pause(.seconds(3), hosts)
        let after = try Self.time(for: 2_000_000, by: hosts)
        #expect(before < 260_000_000, "2 MB take 166 ms at 100 Mbit/s, and a round trip")
        #expect(after * 10 < before * 11, "\(before) ns before, \(after) ns after")
    }

    @Test func `what is measured with four segments in flight does not become the rate`() {
        // A round trip of 10 ms: twenty of them go by meanwhile, and ten are remembered.
        let hosts = TwoHosts(
            .plain("uplink", megabits: 100, delay: .milliseconds(5), queue: 125_000),
            .plain("downlink", megabits: 100, delay: .milliseconds(5)), controller: .bbr)
        hosts.open(sending: [.content(.file(1, 1_000_000_000))])
        hosts.play(until: Instant(nanoseconds: 11_000_000_000))
        func megabits(from start: UInt64, to end: UInt64) -> Double {
            let arrived = hosts.packets.filter {
                $0.link == 0 && $0.kind == .delivered
                    && (start..<end).contains($0.atNanoseconds / 1_000_000)
            }
            let bytes = arrived.reduce(UInt64(0)) { $0 + UInt64($1.size) }
            return Double(bytes) * 8 / Double(end - start) / 1_000
        }
        #expect(megabits(from: 10_050, to: 10_200) < 10)
        #expect(megabits(from: 10_300, to: 11_000) > 90)
    }

    /// How long that takes until it is acknowledged, in nanoseconds.
    private static func time(for bytes: UInt64, by hosts: TwoHosts) throws -> UInt64 {
        let handle = try #require(hosts.client)
        let start = hosts.network.now.nanoseconds
        hosts.waiting[handle] = [.content(.file(2, bytes))]
        hosts.feed(handle)
        hosts.packets = []
        hosts.play()
        let last = hosts.packets.last { $0.link == 1 && $0.kind == .delivered }
        return try #require(last).atNanoseconds - start
    }

    private static func pause(_ time: TimeSpan, _ hosts: TwoHosts) throws {
        let end = hosts.network.now + time
        hosts.network.setTimer(slot: 0, at: end)
        hosts.play(until: end)
    }
}
