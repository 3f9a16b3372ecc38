import Content
import LinkModels
import Quantities
import RunLog
import RunPlan
import Testing

@testable import Simulation

@Suite struct QuickAcknowledgementTests {
    /// The first ten segments leave at once; the client's own SYN is answered in both cases.
    @Test(arguments: [(true, 10), (false, 5)])
    func `the first segments are acknowledged one by one, unless that is switched off`(
        isQuick: Bool, count: Int
    ) {
        let hosts = TwoHosts(
            .plain("uplink"), .plain("downlink"),
            tcp: TCPSettings(controller: .newReno, acknowledgesQuickly: isQuick))
        hosts.open(sending: [.content(.file(1, 100_000))])
        hosts.play()
        let acknowledgements = hosts.packets.filter {
            $0.link == 1 && $0.kind == .sent && !$0.flags.contains(.syn)
        }
        let base = hosts.packets.first { $0.link == 0 && $0.flags.contains(.syn) }?.sequence ?? 0
        let early = acknowledgements.filter { $0.acknowledgement &- base <= 1 + 10 * 1448 }
        #expect(early.count == count)
        // What falls out of this phase is acknowledged in pairs, or pushed.
        #expect(hosts.received.values.first == [.file(1, 100_000)])
    }

    /// The server answers at once, and then falls silent: the first segment after that waits for an
    /// answer to carry its acknowledgement, 40 ms, and the next ones no longer do.
    @Test func `a server that has stopped to answer acknowledges at once again`() throws {
        let hosts = TwoHosts(.plain("uplink"), .plain("downlink"))
        hosts.staysOpen = true
        hosts.answer = [.content(.file(9, 100))]
        let client = hosts.open(sending: [.content(.file(1, 100))])
        hosts.play()
        let server = try #require(hosts.server)
        hosts.waiting[server] = [.content(.file(8, 100))]
        hosts.feed(server)
        hosts.play()
        var waits: [UInt64] = []
        for file in 2...4 {
            hosts.packets = []
            hosts.waiting[client] = [.content(.file(UInt32(file), 100))]
            hosts.feed(client)
            if waits.isEmpty {
                // The server is asked once more, and answers once more.
                hosts.network.setTimer(slot: 0, at: hosts.network.now + .milliseconds(12))
                hosts.play(until: hosts.network.now + .milliseconds(12))
                hosts.waiting[server] = [.content(.file(7, 100))]
                hosts.feed(server)
            }
            hosts.play()
            let arrived = try #require(
                hosts.packets.first { $0.link == 0 && $0.kind == .delivered && $0.payload > 0 })
            let left = try #require(hosts.packets.first { $0.link == 1 && $0.kind == .sent })
            waits.append((left.atNanoseconds - arrived.atNanoseconds) / 1_000_000)
        }
        #expect(waits[1...] == [40, 0], "\(waits)")
    }
}
