import Capture
import Content
import LinkModels
import Quantities
import RunLog
import Testing

@testable import Simulation

/// RFC 2883: the first block of the option tells of a segment that has come twice.
@Suite struct DuplicateReportTests {
    @Test func `what came before all that is acknowledged stands before the stretches`() {
        var receiver = Self.established()
        receiver.take(Self.segment(0), at: 1)
        receiver.take(Self.segment(2), at: 2)
        #expect(Self.told(by: &receiver) == [2..<3])
        receiver.take(Self.segment(0), at: 3)
        #expect(receiver.mustAcknowledge)
        #expect(Self.told(by: &receiver) == [0..<1, 2..<3])
        #expect(Self.told(by: &receiver) == [2..<3], "it is told once")
    }

    @Test func `what came beyond a hole stands before the stretch that holds it`() {
        var receiver = Self.established()
        for number in [UInt64(2), 3, 4, 6, 8] { receiver.take(Self.segment(number), at: number) }
        receiver.take(Self.segment(3), at: 9)
        #expect(Self.told(by: &receiver) == [3..<4, 2..<5, 8..<9])
        receiver.take(Self.segment(5), at: 10)
        #expect(Self.told(by: &receiver) == [2..<7, 8..<9])
    }

    @Test func `content that leaves does not tell of it, and so the report follows at once`() {
        var receiver = Self.established()
        receiver.take(Self.segment(0), at: 1)
        receiver.take(Self.segment(0), at: 2)
        _ = receiver.packetLeaves(tellingAll: false)
        #expect(receiver.mustAcknowledge)
        #expect(Self.told(by: &receiver) == [0..<1])
        _ = receiver.packetLeaves(tellingAll: true)
        #expect(!receiver.mustAcknowledge)
        #expect(Self.told(by: &receiver) == [])
    }

    @Test(arguments: [
        ([UInt64(0)..<1], 0),
        ([UInt64(5)..<6, 5..<9], 0),
        ([UInt64(5)..<6, 4..<6, 8..<9], 0),
        ([UInt64(5)..<6], nil),
        ([UInt64(5)..<6, 7..<9], nil),
        ([UInt64(5)..<8, 7..<9], nil),
        ([], nil),
    ])
    func `a sender knows a duplicate by its place`(blocks: [Range<UInt64>], place: Int?) {
        var sacks = SelectiveAcknowledgement()
        for block in blocks { sacks.append(.init(block, acknowledging: 3)) }
        #expect(sacks.duplicate(acknowledging: 3) == place.map { blocks[$0] })
    }

    @Test(.enabled(if: Tshark.isInstalled, "tshark is not installed; ./lab test installs it"))
    func `tshark sees in a capture what was sent again in vain`() throws {
        // The acknowledgements of the first flight, and of the probe after it, are lost.
        let run = try TappedHosts(
            .plain("uplink"), .plain("downlink").losing(Array(1...11)),
            sending: [.content(.file(1, 40 * 1448))])
        let rows = try Tshark.rows(
            of: run.file(at: .client), fields: ["tcp.options.sack.dsack_le", "tcp.ack"],
            options: ["-o", "tcp.relative_sequence_numbers:TRUE"])
        #expect(rows.filter { !$0[0].isEmpty } == [["1", "15929"]])
    }

    private static func established() -> TCPReceiver {
        var receiver = TCPReceiver()
        receiver.synArrived(
            Packet(
                endpoint: 0, sequence: 0, stamp: 0, acknowledgement: 0, echo: 0, window: 0,
                payload: 0, form: .syn, flags: .syn), at: 0)
        _ = receiver.packetLeaves(tellingAll: true)
        return receiver
    }

    private static func segment(_ number: UInt64) -> Packet {
        Packet(
            endpoint: 0, sequence: 1 + number * 1448, stamp: number, acknowledgement: 0, echo: 0,
            window: 0, payload: 1448, flags: .ack)
    }

    /// What the next acknowledgement says, in segments.
    private static func told(by receiver: inout TCPReceiver) -> [Range<UInt64>] {
        let blocks = receiver.tellStretches()
        return (0..<Int(blocks.count)).map { place in
            let range = blocks.range(place, acknowledging: receiver.next)
            return (range.lowerBound - 1) / 1448..<(range.upperBound - 1) / 1448
        }
    }
}
