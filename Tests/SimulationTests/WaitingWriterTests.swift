import Content
import LinkModels
import Quantities
import RunLog
import RunPlan
import Testing

@testable import Simulation

/// A send buffer that limits BBR. Linux asks at the beginning of each call whether the application
/// limits the rate: with calls that do not block, it finds everything sent each time and never
/// leaves its start-up; with calls that wait for room, it does. The kernel's figures are in the
/// table of `./lab fidelity`.
@Suite struct WaitingWriterTests {
    @Test(arguments: [TCPSettings.Writes.nonBlocking, .blocking])
    func `a writer that waits for room lets BBR leave its start-up`(writes: TCPSettings.Writes) {
        let hosts = TwoHosts(
            .plain("uplink", megabits: 100, delay: .milliseconds(50), queue: 1_250_000),
            .plain("downlink", megabits: 100, delay: .milliseconds(50)),
            tcp: TCPSettings(controller: .bbr, writes: writes))
        let client = hosts.open(sending: [.content(.file(1, 1_000_000_000))])
        hosts.play(until: .start + .seconds(5))
        let dropped = hosts.packets.count { $0.kind == .dropped }
        #expect(hosts.network.hasLeftSlowStart(client) == (writes == .blocking))
        #expect((dropped < 3_000) == (writes == .blocking), "\(dropped)")
    }
}
