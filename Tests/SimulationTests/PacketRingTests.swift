import RunLog
import Testing

@testable import Simulation

@Suite struct PacketRingTests {
    @Test func `a packet fills a line of the processor's memory`() {
        #expect(MemoryLayout<Packet>.stride == 64)
    }

    @Test(arguments: [
        (Packet.Form.plain, UInt16(1448), UInt16(1500), 0), (.oneBlock, 0, 64, 1),
        (.twoBlocks, 0, 72, 2), (.threeBlocks, 0, 80, 3), (.syn, 0, 60, 0),
        (.datagram, 100, 128, 0),
    ])
    func `its size follows from its form and its payload`(
        form: Packet.Form, payload: UInt16, size: UInt16, blocks: Int
    ) {
        var packet = Packet(
            endpoint: 1, sequence: 0, stamp: 0, acknowledgement: 0, echo: 0, window: 0,
            payload: payload, form: form, flags: .ack)
        #expect(packet.size == size)
        #expect(packet.hasBlocks == (blocks > 0))
        packet.isCorrupted = true
        #expect(packet.size == size && packet.isCorrupted && packet.hasBlocks == (blocks > 0))
    }

    @Test func `what lies beside a packet stays beside it, however the row is sorted and grows`() {
        var ring = PacketRing()
        // Each comes before the one that was put in before it.
        for number in 0..<UInt32(200) {
            let place = ring.put(parcel(number))
            place.pointee.arrivalNanoseconds = UInt64(1_000 - number)
            ring.insert()
        }
        for number in (0..<UInt32(200)).reversed() {
            let first = ring.removeFirst()
            #expect(first.pointee.arrivalNanoseconds == UInt64(1_000 - number))
            let blocks = ring.blocks(of: first)
            #expect(blocks.count == (number % 2 == 0 ? 1 : 0))
            if number % 2 == 0 { #expect(blocks[0].start == number) }
        }
        #expect(ring.isEmpty && ring.removedCount == 200)
    }

    /// Every other has a block, which begins with its number.
    private func parcel(_ number: UInt32) -> Parcel {
        var blocks = SelectiveAcknowledgement()
        if number % 2 == 0 {
            blocks.append(.init(UInt64(number)..<UInt64(number) + 1, acknowledging: 0))
        }
        return Parcel(
            packet: Packet(
                endpoint: 1, sequence: 0, stamp: 0, acknowledgement: 0, echo: 0, window: 0,
                payload: 0, form: blocks.form, flags: .ack),
            blocks: blocks)
    }
}
