package import RunLog

/// The TCP/IPv4 headers of a captured frame.
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
        package var address: UInt32
        package var port: UInt16

        package init(address: UInt32, port: UInt16) {
            self.address = address
            self.port = port
        }
    }

    /// Why a frame is not a usable TCP frame.
    package enum Refusal: Error, Hashable, Sendable {
        case truncated
        case notIPv4
        case badHeaderLength
        /// A fragment: a later one has no TCP header, and the first lacks a part of the payload.
        case fragment
        case notTCP
    }

    /// Parses a frame. The capture may have cut off its payload, which is counted by the lengths in
    /// the headers.
    package init(
        parsing frame: [UInt8], originalLength: Int, link: FrameLink
    ) throws(Refusal) {
        let packetAt = try Self.packetOffset(in: frame, link: link)
        guard frame.count >= packetAt + 20 else { throw .truncated }
        guard frame[packetAt] >> 4 == 4 else { throw .notIPv4 }
        let ipHeader = Int(frame[packetAt] & 0x0f) * 4
        guard ipHeader >= 20 else { throw .badHeaderLength }
        // A super-segment too long for the field has 0 (Linux, BIG TCP): then the frame's length
        // counts.
        let announced = Self.word(frame, packetAt + 2)
        let total = announced == 0 ? originalLength - packetAt : announced
        guard total >= ipHeader, total <= originalLength - packetAt else { throw .badHeaderLength }
        guard Self.word(frame, packetAt + 6) & 0x3fff == 0 else { throw .fragment }
        guard frame[packetAt + 9] == 6 else { throw .notTCP }

        let tcpAt = packetAt + ipHeader
        guard frame.count >= tcpAt + 20 else { throw .truncated }
        let tcpHeader = Int(frame[tcpAt + 12] >> 4) * 4
        guard tcpHeader >= 20, ipHeader + tcpHeader <= total else { throw .badHeaderLength }
        source = Endpoint(
            address: Self.long(frame, packetAt + 12), port: UInt16(Self.word(frame, tcpAt)))
        destination = Endpoint(
            address: Self.long(frame, packetAt + 16), port: UInt16(Self.word(frame, tcpAt + 2)))
        sequence = Self.long(frame, tcpAt + 4)
        acknowledgement = Self.long(frame, tcpAt + 8)
        flags = PacketRecord.Flags(rawValue: frame[tcpAt + 13] & 0x1f)
        size = total
        payload = total - ipHeader - tcpHeader
    }

    private static func packetOffset(
        in frame: [UInt8], link: FrameLink
    ) throws(Refusal) -> Int {
        switch link {
        case .ethernet:
            guard frame.count >= 14 else { throw .truncated }
            guard word(frame, 12) == 0x0800 else { throw .notIPv4 }
            return 14
        case .null:
            guard frame.count >= 4 else { throw .truncated }
            // AF_INET is 2 everywhere, in either byte order.
            let family = long(frame, 0)
            guard family == 2 || family.byteSwapped == 2 else { throw .notIPv4 }
            return 4
        case .raw: return 0
        case .cooked:
            guard frame.count >= 16 else { throw .truncated }
            guard word(frame, 14) == 0x0800 else { throw .notIPv4 }
            return 16
        }
    }

    private static func word(_ bytes: [UInt8], _ at: Int) -> Int {
        Int(bytes[at]) << 8 | Int(bytes[at + 1])
    }

    private static func long(_ bytes: [UInt8], _ at: Int) -> UInt32 {
        UInt32(word(bytes, at)) << 16 | UInt32(word(bytes, at + 2))
    }
}
