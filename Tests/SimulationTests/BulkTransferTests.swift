import Content
import LinkModels
import Quantities
import RunLog
import Simulation
import Testing

@Suite struct BulkTransferTests {
    @Test(arguments: [0.0, 2, 10, 30], [UInt64(1), 2, 3])
    func `both ends get exactly what the other sent, whatever is lost on both links`(
        loss: Double, seed: UInt64
    ) throws {
        let up = ContentRange.file(1, 700_001)
        let down = ContentRange.file(2, 300_007)
        let hosts = TwoHosts(
            .plain("uplink", losing: loss), .plain("downlink", losing: loss), seed: seed)
        hosts.answer = [.content(down)]
        hosts.open(sending: [.content(up)])
        hosts.play()

        let client = try #require(hosts.client)
        let server = try #require(hosts.server, "seed \(seed), loss \(loss) %")
        #expect(hosts.received[server] == [up], "seed \(seed), loss \(loss) %")
        #expect(hosts.received[client] == [down], "seed \(seed), loss \(loss) %")
        #expect(hosts.ends == [client: .closed, server: .closed], "seed \(seed), loss \(loss) %")
        #expect(hosts.network.acknowledged(client) == up.length)
    }

    /// Queues of one bandwidth-delay product, and of more than the receiver's window.
    @Test(arguments: [UInt64(125_000), 5_000_000])
    func `without loss by filters at least ninety percent of the link carries content`(
        queue: UInt64
    ) throws {
        let content = ContentRange.file(1, 100_000_000)
        let hosts = TwoHosts(
            .plain("uplink", megabits: 50, queue: queue), .plain("downlink", megabits: 50))
        hosts.open(sending: [.content(content)])
        hosts.play()

        let server = try #require(hosts.server)
        #expect(hosts.received[server] == [content])
        let goodput = Double(content.length.bytes) * 8 / hosts.network.now.seconds
        #expect(goodput >= 0.9 * 50e6, "only \(goodput) bit/s")
    }

    @Test func `a transfer passes the place where wire numbers wrap`() throws {
        // The first draw is the client's initial sequence number: one just below 2³².
        let seed = try #require(
            (UInt64(0)...).first { seed in
                var draws = RandomStream(seed: seed, name: "tcp/initial-sequence")
                return UInt32(truncatingIfNeeded: draws.next()) > 0xffff_0000
            })
        let content = ContentRange.file(1, 100_000)
        let hosts = TwoHosts(.plain("uplink", losing: 5), .plain("downlink"), seed: seed)
        hosts.open(sending: [.content(content)])
        hosts.play()

        let server = try #require(hosts.server)
        #expect(hosts.received[server] == [content])
        let numbers = hosts.packets.filter { $0.link == 0 && $0.payload > 0 }.map(\.sequence)
        #expect(numbers.contains { $0 > 0xffff_0000 } && numbers.contains { $0 < 0x0010_0000 })
    }
}
