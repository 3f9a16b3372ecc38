import Capture
import Quantities
import RunLog
import Testing

@Suite struct CapturedFlowsTests {
    @Test func `directions are links, and each link counts its own packets`() throws {
        var flows = CapturedFlows(serverPort: 8_080)
        let up = try frame(from: 40_000, to: 8_080)
        let down = try frame(from: 8_080, to: 40_000)
        let records = [up, up, down, up].compactMap { flows.record(of: $0, at: .start) }
        #expect(records.map(\.link) == [0, 0, 1, 0])
        #expect(records.map(\.packet) == [0, 1, 0, 2])
        #expect(records.allSatisfy { $0.flow == 0 && $0.kind == .captured })
    }

    @Test func `connections are flows in the order of their first packet`() throws {
        var flows = CapturedFlows(serverPort: 8_080)
        let frames = try [
            frame(from: 40_000, to: 8_080, .syn), frame(from: 50_000, to: 8_080, .syn),
            frame(from: 8_080, to: 40_000), frame(from: 40_000, to: 8_080, .syn),
            frame(from: 40_000, to: 8_080),
        ]
        let seen = frames.compactMap { flows.record(of: $0, at: .start)?.flow }
        #expect(seen == [0, 1, 0, 2, 2])
    }

    @Test func `however many flows there are, no more are known than have numbers`() throws {
        var flows = CapturedFlows(serverPort: 8_080)
        let count = 3 * UInt32(CapturedFlows.flowLimit) / 2
        var frame = try frame(from: 40_000, to: 8_080, .syn)
        var last: UInt16?
        for client in 0..<count {
            frame.source.address = .v4(client)
            last = flows.record(of: frame, at: .start)?.flow
        }
        #expect(last == UInt16(CapturedFlows.flowLimit / 2 - 1))
        // The oldest flow is forgotten and gets a new number; the others keep their numbers.
        frame.flags = .ack
        #expect(flows.record(of: frame, at: .start)?.flow == last)
        frame.source.address = .v4(0)
        let early = flows.record(of: frame, at: .start)?.flow
        #expect(early == UInt16(CapturedFlows.flowLimit / 2))
    }

    @Test func `each interface has a pair of links, by the client's address`() throws {
        var flows = CapturedFlows(serverPort: 8_080) { address in
            if case .v4(let number) = address { UInt16(number & 0xff) } else { 9 }
        }
        var up = try frame(from: 40_000, to: 8_080)
        var down = try frame(from: 8_080, to: 40_000)
        var links: [UInt16] = []
        var packets: [UInt32] = []
        for interface in [UInt32(0), 2, 0, 2] {
            up.source.address = .v4(interface)
            down.destination.address = .v4(interface)
            for record in [up, down].compactMap({ flows.record(of: $0, at: .start) }) {
                links.append(record.link)
                packets.append(record.packet)
            }
        }
        #expect(links == [0, 1, 4, 5, 0, 1, 4, 5])
        #expect(packets == [0, 0, 0, 0, 1, 1, 1, 1])
    }

    @Test func `a packet between others is not recorded`() throws {
        var flows = CapturedFlows(serverPort: 8_080)
        #expect(flows.record(of: try frame(from: 1, to: 2), at: .start) == nil)
    }

    @Test func `a super-segment counts as the longest packet that a record can hold`() throws {
        var flows = CapturedFlows(serverPort: 8_080)
        let bytes = FrameBytes(totalLength: 0).bytes
        let frame = try TCPFrame(parsing: bytes, originalLength: 200_000, link: .ethernet)
        let record = flows.record(of: frame, at: Instant(nanoseconds: 5))
        #expect(record?.size == .max)
        #expect(record?.atNanoseconds == 5)
    }

    private func frame(
        from source: UInt16, to destination: UInt16, _ flags: PacketRecord.Flags = .ack
    ) throws -> TCPFrame {
        let bytes = FrameBytes(
            clientPort: source, serverPort: destination, flags: flags.rawValue
        ).bytes
        return try TCPFrame(parsing: bytes, originalLength: bytes.count, link: .ethernet)
    }
}
