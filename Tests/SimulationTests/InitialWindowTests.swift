import Content
import LinkModels
import Quantities
import RunLog
import RunPlan
import Testing

@testable import Simulation

@Suite struct InitialWindowTests {
    private static let controllers: [TCPSettings.Controller] = [.cubic, .newReno, .bbr]

    @Test(arguments: [1, 10, 32] as [UInt64], controllers)
    func `so many segments leave before the first acknowledgement`(
        window: UInt64, controller: TCPSettings.Controller
    ) throws {
        let hosts = Self.hosts(TCPSettings(controller: controller, initialWindow: window))
        hosts.open(sending: [.content(.file(1, 200_000))])
        hosts.play()
        let first = try #require(
            hosts.packets.first {
                $0.link == 1 && $0.kind == .delivered && $0.flags == .ack && $0.payload == 0
            })
        let sent = hosts.packets.filter {
            $0.link == 0 && $0.kind == .sent && $0.payload > 0
                && $0.atNanoseconds < first.atNanoseconds
        }
        #expect(sent.count == window)
        #expect(hosts.received.values.first == [.file(1, 200_000)])
    }

    @Test(arguments: controllers.dropLast())
    func `after a long pause it is the window again`(controller: TCPSettings.Controller) throws {
        let hosts = Self.hosts(TCPSettings(controller: controller, initialWindow: 24))
        hosts.staysOpen = true
        hosts.open(sending: [.content(.file(1, 1_000_000))])
        hosts.play()
        let handle = try #require(hosts.client)
        let pauseEnd = Instant(nanoseconds: hosts.network.now.nanoseconds + 20_000_000_000)
        hosts.network.setTimer(slot: 0, at: pauseEnd)
        hosts.play(until: pauseEnd)
        hosts.waiting[handle] = [.content(.file(2, 80_000))]
        hosts.feed(handle)
        hosts.play()
        let burst = hosts.packets.filter {
            $0.link == 0 && $0.kind == .sent && $0.atNanoseconds == pauseEnd.nanoseconds
        }
        #expect(burst.count == 24)
    }

    private static func hosts(_ tcp: TCPSettings) -> TwoHosts {
        TwoHosts(
            .plain("uplink", megabits: 1_000, delay: .milliseconds(20), queue: 1_000_000),
            .plain("downlink", megabits: 1_000, delay: .milliseconds(20)), tcp: tcp)
    }
}
