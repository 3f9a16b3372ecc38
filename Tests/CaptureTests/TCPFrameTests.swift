import Capture
import Quantities
import RunLog
import Testing

@Suite struct TCPFrameTests {
    @Test(arguments: FrameLink.allCases)
    func `a TCP frame tells its addresses, numbers, flags and lengths`(link: FrameLink) throws {
        let bytes = FrameBytes(link: link).bytes
        let frame = try TCPFrame(parsing: bytes, originalLength: bytes.count, link: link)
        #expect(frame.source == .init(address: .v4(0x7f00_0001), port: 40_000))
        #expect(frame.destination == .init(address: .v4(0x7f00_0001), port: 8_080))
        #expect(frame.sequence == 7)
        #expect(frame.acknowledgement == 9)
        #expect(frame.flags == [.psh, .ack])
        #expect(frame.size == 58)
        #expect(frame.payload == 18)
    }

    @Test(arguments: FrameLink.allCases)
    func `a frame over IPv6 tells the same, with its longer header and addresses`(
        link: FrameLink
    ) throws {
        let bytes = FrameBytes(link: link, etherType: 0x86dd, version: 6).bytes
        let frame = try TCPFrame(parsing: bytes, originalLength: bytes.count, link: link)
        #expect(frame.source == .init(address: .v6(0x2001_0db8_0000_0000, 2), port: 40_000))
        #expect(frame.destination == .init(address: .v6(0x2001_0db8_0000_0000, 1), port: 8_080))
        #expect(frame.sequence == 7)
        #expect(frame.acknowledgement == 9)
        #expect(frame.flags == [.psh, .ack])
        #expect(frame.size == 78)
        #expect(frame.payload == 18)
    }

    @Test func `options of IP and TCP are stepped over`() throws {
        let options = [UInt8](repeating: 1, count: 12)
        let bytes = FrameBytes(ipOptions: options, tcpOptions: options).bytes
        let frame = try TCPFrame(parsing: bytes, originalLength: bytes.count, link: .ethernet)
        #expect(frame.size == 82)
        #expect(frame.payload == 18)
    }

    @Test func `what was cut off behind the headers still counts as payload`() throws {
        let bytes = FrameBytes(payload: [UInt8](repeating: 0, count: 1_400)).bytes
        let frame = try TCPFrame(
            parsing: Array(bytes.prefix(54)), originalLength: bytes.count, link: .ethernet)
        #expect(frame.payload == 1_400)
    }

    @Test func `padding behind the packet does not count as payload`() throws {
        let bytes = FrameBytes(payload: []).bytes + [0, 0, 0, 0, 0, 0]
        let frame = try TCPFrame(parsing: bytes, originalLength: bytes.count, link: .ethernet)
        #expect(frame.payload == 0)
    }

    @Test func `a super-segment too long for the length field is as long as its frame`() throws {
        let bytes = FrameBytes(totalLength: 0, payload: [1, 2, 3]).bytes
        let frame = try TCPFrame(parsing: bytes, originalLength: 100_054, link: .ethernet)
        #expect(frame.size == 100_040)
        #expect(frame.payload == 100_000)
    }

    static let malformed: [(String, FrameBytes, TCPFrame.Refusal)] = [
        ("ARP", FrameBytes(etherType: 0x0806), .notIP),
        ("version 5", FrameBytes(version: 5), .notIP),
        ("IP header of 16 bytes", FrameBytes(ipHeaderWords: 4), .badHeaderLength),
        (
            "IP header longer than the packet", FrameBytes(ipHeaderWords: 15, payload: []),
            .badHeaderLength
        ),
        ("a total shorter than the header", FrameBytes(totalLength: 12), .badHeaderLength),
        ("a total longer than the frame", FrameBytes(totalLength: 9_000), .badHeaderLength),
        ("the first fragment", FrameBytes(fragment: 0x2000), .fragment),
        ("a later fragment", FrameBytes(fragment: 0x00b9), .fragment),
        ("UDP", FrameBytes(transport: 17), .notTCP),
        ("UDP over IPv6", FrameBytes(version: 6, transport: 17), .notTCP),
        ("a hop-by-hop header", FrameBytes(version: 6, transport: 0), .notTCP),
        ("a fragment of IPv6", FrameBytes(version: 6, transport: 44), .fragment),
        (
            "IPv6 longer than the frame", FrameBytes(version: 6, totalLength: 9_000),
            .badHeaderLength
        ),
        ("IPv6 without room for TCP", FrameBytes(version: 6, totalLength: 30), .badHeaderLength),
        ("TCP header of 16 bytes", FrameBytes(tcpHeaderWords: 4), .badHeaderLength),
        ("TCP header longer than the packet", FrameBytes(tcpHeaderWords: 15), .badHeaderLength),
    ]

    @Test(arguments: malformed.indices) func `a malformed frame is refused`(index: Int) {
        let (what, frame, refusal) = Self.malformed[index]
        #expect(throws: refusal, "\(what)") {
            try TCPFrame(
                parsing: frame.bytes, originalLength: frame.bytes.count, link: .ethernet)
        }
    }

    @Test(arguments: FrameLink.allCases, [4, 6] as [UInt8])
    func `a frame cut off inside its headers is refused at every length`(
        link: FrameLink, version: UInt8
    ) {
        let etherType: UInt16 = version == 6 ? 0x86dd : 0x0800
        let bytes = FrameBytes(
            link: link, etherType: etherType, version: version, payload: []
        ).bytes
        for count in 0..<bytes.count {
            #expect(throws: TCPFrame.Refusal.truncated, "\(count) bytes") {
                try TCPFrame(
                    parsing: Array(bytes.prefix(count)), originalLength: bytes.count, link: link)
            }
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64], [4, 6] as [UInt8])
    func `whatever happens to a frame's bits, its lengths stay within the frame`(
        seed: UInt64, version: UInt8
    ) {
        var random = RandomStream(seed: seed, name: "frames")
        var accepted = 0
        for _ in 0..<20_000 {
            var bytes = FrameBytes(version: version).bytes
            for _ in 0...random.next() % 4 {
                bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(random.next() & 0xff)
            }
            let original = bytes.count
            bytes = Array(bytes.prefix(Int(random.next() % UInt64(bytes.count + 1))))
            guard
                let frame = try? TCPFrame(
                    parsing: bytes, originalLength: original, link: .ethernet)
            else { continue }
            accepted += 1
            #expect(frame.size <= original - 14)
            #expect(frame.payload >= 0 && frame.payload <= frame.size - 40)
        }
        #expect(accepted > 100)
    }
}
