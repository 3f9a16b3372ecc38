import Content
import LinkModels
import RunLog
import RunPlan
import Testing

@testable import Simulation

@Suite struct ControllerOfEachHostTests {
    /// How much a way that loses a packet in fifty gets through in a time, up and down.
    private static func times(_ tcp: TCPSettings) -> (up: UInt64, down: UInt64) {
        func time(_ up: UInt64, _ down: UInt64) -> UInt64 {
            let hosts = TwoHosts(
                .plain("uplink", losing: 2), .plain("downlink", losing: 2), tcp: tcp)
            hosts.answer = [.content(.file(2, down))]
            hosts.open(sending: [.content(.file(1, up))])
            hosts.play()
            return hosts.packets.last?.atNanoseconds ?? 0
        }
        return (time(4_000_000, 1), time(1, 4_000_000))
    }

    @Test func `the one that sends most rules, and each host has its own`() {
        let both = Self.times(TCPSettings(controller: .newReno))
        let client = Self.times(TCPSettings(controller: .newReno, clientController: .bbr))
        let server = Self.times(TCPSettings(controller: .newReno, serverController: .bbr))
        // BBR does not take a loss for congestion.
        #expect(3 * client.up < 2 * both.up, "\(client.up) and \(both.up) ns")
        #expect(3 * server.down < 2 * both.down, "\(server.down) and \(both.down) ns")
        #expect(4 * client.down > 3 * both.down, "\(client.down) and \(both.down) ns")
        #expect(4 * server.up > 3 * both.up, "\(server.up) and \(both.up) ns")
    }

    @Test func `both hosts' own are the same as one for both`() {
        let own = Self.times(TCPSettings(clientController: .bbr, serverController: .bbr))
        #expect(own == Self.times(TCPSettings(controller: .bbr)))
    }
}
