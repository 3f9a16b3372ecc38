package import RunLog

/// The IP and TCP headers of a captured frame.
/// Any bytes give either a frame or a refusal; nothing here traps.
package struct TCPFrame: Hashable, Sendable {
    package var source: Endpoint
    package var destination: Endpoint
    package var sequence: UInt32
    package var acknowledgement: UInt32
    package var flags: PacketRecord.Flags
    /// The bytes of the IP packet, and of its payload.
    package var size: Int
    package var payload: Int

    package struct Endpoint: Hashable, Sendable {
        package var address: IPAddress
        package var port: UInt16

        package init(address: IPAddress, port: UInt16) {
            self.address = address
            self.port = port
        }
    }

    /// Why a frame is not a usable TCP frame.
    package enum Refusal: Error, Hashable, Sendable {
        case truncated
        case notIP
        case badHeaderLength
        /// A fragment: a later one has no TCP header, and the first lacks a part of the payload.
        case fragment
        case notTCP
    }

    /// The header of IP: the addresses, and where the packet goes on.
    private struct InternetHeader {
        let source: IPAddress
        let destination: IPAddress
        let length: Int
        /// The bytes of the packet.
        let total: Int
    }

    /// Parses a frame. The capture may have cut off its payload, which is counted by the lengths in
    /// the headers.
    package init(
        parsing frame: [UInt8], originalLength: Int, link: FrameLink
    ) throws(Refusal) {
        let packetAt = try Self.packetOffset(in: frame, link: link)
        guard frame.count > packetAt else { throw .truncated }
        let packet = frame[packetAt...]
        let ip =
            switch packet[packetAt] >> 4 {
            case 4: try Self.headerOfIPv4(packet, originalLength: originalLength - packetAt)
            case 6: try Self.headerOfIPv6(packet, originalLength: originalLength - packetAt)
            default: throw Refusal.notIP
            }
        let tcpAt = packetAt + ip.length
        guard frame.count >= tcpAt + 20 else { throw .truncated }
        let tcpHeader = Int(frame[tcpAt + 12] >> 4) * 4
        guard tcpHeader >= 20, ip.length + tcpHeader <= ip.total else { throw .badHeaderLength }
        source = Endpoint(address: ip.source, port: UInt16(Self.word(packet, tcpAt)))
        destination = Endpoint(
            address: ip.destination, port: UInt16(Self.word(packet, tcpAt + 2)))
        sequence = Self.long(packet, tcpAt + 4)
        acknowledgement = Self.long(packet, tcpAt + 8)
        flags = PacketRecord.Flags(rawValue: frame[tcpAt + 13] & 0x1f)
        size = ip.total
        payload = ip.total - ip.length - tcpHeader
    }

    /// Parses the header of IPv4 (RFC 791).
    private static func headerOfIPv4(
        _ packet: ArraySlice<UInt8>, originalLength: Int
    ) throws(Refusal) -> InternetHeader {
        let start = packet.startIndex
        guard packet.count >= 20 else { throw .truncated }
        let length = Int(packet[start] & 0x0f) * 4
        guard length >= 20 else { throw .badHeaderLength }
        // A super-segment too long for the field has 0 (Linux, BIG TCP): then the frame's length
        // counts.
        let announced = word(packet, start + 2)
        let total = announced == 0 ? originalLength : announced
        guard total >= length, total <= originalLength else { throw .badHeaderLength }
        guard word(packet, start + 6) & 0x3fff == 0 else { throw .fragment }
        guard packet[start + 9] == 6 else { throw .notTCP }
        return InternetHeader(
            source: .v4(long(packet, start + 12)), destination: .v4(long(packet, start + 16)),
            length: length, total: total)
    }

    /// Parses the header of IPv6 (RFC 8200). A packet with extension headers is not TCP's.
    private static func headerOfIPv6(
        _ packet: ArraySlice<UInt8>, originalLength: Int
    ) throws(Refusal) -> InternetHeader {
        let (start, length) = (packet.startIndex, 40)
        guard packet.count >= length else { throw .truncated }
        // Zero as above, or in a jumbogram, which has an extension header (RFC 2675).
        let announced = word(packet, start + 4)
        let total = announced == 0 ? originalLength : length + announced
        guard total <= originalLength else { throw .badHeaderLength }
        guard packet[start + 6] != 44 else { throw .fragment }
        guard packet[start + 6] == 6 else { throw .notTCP }
        return InternetHeader(
            source: address(packet, start + 8), destination: address(packet, start + 24),
            length: length, total: total)
    }

    private static func packetOffset(
        in frame: [UInt8], link: FrameLink
    ) throws(Refusal) -> Int {
        switch link {
        case .ethernet:
            guard frame.count >= 14 else { throw .truncated }
            guard carriesIP(word(frame[...], 12)) else { throw .notIP }
            return 14
        case .null:
            guard frame.count >= 4 else { throw .truncated }
            // AF_INET is 2 everywhere, and AF_INET6 is one of four, in either byte order.
            let family = long(frame[...], 0)
            let families: Set<UInt32> = [2, 10, 24, 28, 30]
            guard !families.isDisjoint(with: [family, family.byteSwapped]) else { throw .notIP }
            return 4
        case .raw: return 0
        case .cooked:
            guard frame.count >= 16 else { throw .truncated }
            guard carriesIP(word(frame[...], 14)) else { throw .notIP }
            return 16
        }
    }

    private static func carriesIP(_ etherType: Int) -> Bool {
        etherType == 0x0800 || etherType == 0x86dd
    }

    private static func word(_ bytes: ArraySlice<UInt8>, _ at: Int) -> Int {
        Int(bytes[at]) << 8 | Int(bytes[at + 1])
    }

    private static func long(_ bytes: ArraySlice<UInt8>, _ at: Int) -> UInt32 {
        UInt32(word(bytes, at)) << 16 | UInt32(word(bytes, at + 2))
    }

    private static func address(_ bytes: ArraySlice<UInt8>, _ at: Int) -> IPAddress {
        let words = (0..<4).map { UInt64(long(bytes, at + 4 * $0)) }
        return .v6(words[0] << 32 | words[1], words[2] << 32 | words[3])
    }
}
