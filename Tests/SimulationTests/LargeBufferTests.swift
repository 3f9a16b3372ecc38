import Content
import LinkModels
import Quantities
import RunLog
import RunPlan
import Testing

@testable import Simulation

@Suite struct LargeBufferTests {
    @Test func `a window of 1 GiB has the largest scale, and is offered as far as it goes`() {
        #expect(ReceiveWindow.shift(for: 1 << 30) == 14)
        #expect(ReceiveWindow.shift(for: 20 << 20) == 10)
        var window = ReceiveWindow(largest: 1 << 30)
        window.begin(with: 1, at: 0)
        window.reached(2 << 30)
        #expect(window.size == 65_535 << 14)
        #expect(window.offer(from: 1, held: 0) == 65_535)
    }

    /// 4 Gbit/s and 200 ms are 100 MB in flight. A buffer of 64 MiB lets through two thirds.
    @Test func `buffers of more than 64 MiB fill a path that needs them`() throws {
        let few = try Self.gigabits(buffers: 64 << 20)
        let enough = try Self.gigabits(buffers: 256 << 20)
        #expect(few < 2.75, "\(few)")
        #expect(enough > 3.6, "\(enough)")
    }

    /// What arrives in the last of four seconds.
    private static func gigabits(buffers: UInt64) throws -> Double {
        var tcp = TCPSettings(controller: .newReno)
        tcp.receiveWindow = ByteCount(buffers)
        tcp.sendBuffer = ByteCount(buffers)
        let hosts = TwoHosts(
            .plain("uplink", megabits: 4_000, delay: .milliseconds(100), queue: 500_000_000),
            .plain("downlink", megabits: 4_000, delay: .milliseconds(100)), tcp: tcp)
        hosts.open(sending: [.content(.file(1, 100_000_000_000))])
        hosts.play(until: .start + .seconds(4))
        let server = try #require(hosts.server)
        let before = hosts.network.received(server)
        hosts.play(until: .start + .seconds(5))
        return Double((hosts.network.received(server) - before).bytes) * 8e-9
    }
}
