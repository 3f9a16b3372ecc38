import Quantities
import Reports
import RunLog
import Testing

/// Which connections are drawn, and what they are called.
@Suite struct FlowChoiceTests {
    @Test func `the six connections with the most bytes are drawn in order of beginning`() {
        var packets = HandmadePackets()
        for flow in 0..<9 as Range<UInt16> {
            packets.send(flow == 4 ? 1 : 100 + flow, flow: flow, at: UInt64(flow))
        }
        let series = packets.series()
        #expect(series.flows?.map(\.flow) == [2, 3, 5, 6, 7, 8])
        #expect(series.flowsLeftOut == 3)
    }

    @Test func `a SYN with another number begins a connection, the same SYN does not`() throws {
        var packets = HandmadePackets()
        for (sequence, at) in [(7, 0), (7, 1_000), (90, 2_000)] as [(UInt32, UInt64)] {
            packets.send(sequence: sequence, flags: .syn, at: at)
            packets.send(100, sequence: sequence + 1, at: at + 1)
        }
        let flows = try #require(packets.series().flows)
        #expect(flows.map(\.bytes) == [ByteCount(100), ByteCount(100)])
        #expect(flows.map(\.from) == [.start, .start + .seconds(2)])
    }

    @Test func `other traffic is no flow`() {
        var packets = HandmadePackets()
        packets.send(1_000, flow: 0x8000, at: 0)
        let series = packets.series()
        #expect(series.flows == nil && series.links?.count == 1)
    }

    @Test func `of thousands of connections the largest is still found`() throws {
        var packets = HandmadePackets()
        for order in 0..<3_000 as Range<UInt32> {
            let at = UInt64(order) * 10
            packets.send(sequence: order, flags: .syn, flow: UInt16(order % 200), at: at)
            let payload: UInt16 = order.isMultiple(of: 500) ? 1_400 : UInt16(order % 7) + 1
            packets.send(payload, sequence: order + 1, flow: UInt16(order % 200), at: at + 1)
        }
        let series = packets.series()
        let begins = try #require(series.flows).map(\.from.nanoseconds)
        #expect(begins == (0..<6).map { UInt64($0) * 5_000_000_000 })
        #expect(series.flowsLeftOut == 2_994)
    }

    @Test func `a flow whose SYN left as a connection opened has its name`() throws {
        let names = (1...3).map { ConnectionName(launch: 1, number: $0) }
        var packets = HandmadePackets()
        // Two of one moment are told apart by their order.
        for (flow, at) in [(0, 5), (1, 5), (2, 9), (3, 20)] as [(UInt16, UInt64)] {
            packets.send(sequence: 0, flags: .syn, flow: flow, at: at)
            packets.send(100, sequence: 1, flow: flow, at: at + 1)
        }
        let events = [(0, 5), (1, 5), (2, 20)].map { place, at in
            RunEvent(
                at: .start + .milliseconds(at), .connection(.opening(names[place], to: "docroot")))
        }
        let flows = try #require(packets.series(events: events).flows)
        #expect(flows.map(\.connection) == [names[0], names[1], nil, names[2]])
    }
}
