import Capture
import RunLog

/// Bytes of a simulated packet: IPv4 (RFC 791) or IPv6 (RFC 8200), and TCP (RFC 9293) with
/// checksums, and with the options of RFC 7323 and RFC 2018 in Linux's order; or a UDP datagram
/// (RFC 768), or a router's message (RFC 792, RFC 4443).
///
/// One raw buffer is reused, because every byte of a capture is written here.
struct PacketImage: ~Copyable {
    private let storage: UnsafeMutableRawBufferPointer
    private(set) var size = 0
    /// Length of the header of IP.
    private var transport = 20
    private var payloadStart = 0
    /// Window scale in a SYN.
    var windowShift: UInt8 = 0
    /// Largest segment in a SYN, without options.
    var largestSegment = UInt16(Packet.maximumSize - 40)

    /// Limit of IP's length field.
    private static let capacity = 65_535
    private static let protocolTCP: UInt8 = 6
    private static let protocolICMP: UInt8 = 1
    private static let protocolICMPv6: UInt8 = 58
    /// The router's addresses, from documentation blocks of RFC 5737 and RFC 3849.
    private static let routerOfIPv4 = IPAddress.v4(0xcb00_7101)
    private static let routerOfIPv6 = IPAddress.v6(0x2001_0db8_0002_0000, 1)
    private static let protocolUDP: UInt8 = 17
    private static let datagramHeader = 8
    private static let dontFragment: UInt8 = 0x40
    private static let timeToLive: UInt8 = 64

    init() {
        storage = .allocate(byteCount: Self.capacity, alignment: 8)
    }

    deinit { storage.deallocate() }

    /// Draws the headers. The caller then fills `payload` and calls `seal`.
    mutating func begin(
        _ packet: borrowing Packet, _ blocks: SelectiveAcknowledgement, number: UInt32,
        from source: TCPFrame.Endpoint, to destination: TCPFrame.Endpoint
    ) {
        size = Int(packet.size)
        transport = drawInternetHeader(
            of: size, number, packet.codepoint, Self.protocolTCP, from: source.address,
            to: destination.address)
        let options = drawOptions(of: packet, blocks, at: transport + 20)
        payloadStart = transport + 20 + options
        precondition(
            payloadStart + Int(packet.payload) == size,
            "\(packet.flags) of \(size) B with \(packet.payload) B of payload and \(options) B of "
                + "options")
        put(source.port, at: transport)
        put(destination.port, at: transport + 2)
        put(UInt32(truncatingIfNeeded: packet.sequence), at: transport + 4)
        let isAcknowledging = packet.flags.contains(.ack)
        put(
            isAcknowledging ? UInt32(truncatingIfNeeded: packet.acknowledgement) : 0,
            at: transport + 8)
        storage[transport + 12] = UInt8((20 + options) / 4) << 4 | packet.ae
        storage[transport + 13] = packet.flags.rawValue
        put(packet.window, at: transport + 14)
        put(UInt32(0), at: transport + 16)
    }

    /// Draws a router's message that a packet was too large, with the beginning of that packet.
    mutating func draw(
        message: borrowing Packet, number: UInt32, about source: TCPFrame.Endpoint,
        to destination: TCPFrame.Endpoint
    ) {
        size = Int(message.size)
        payloadStart = size
        let isIPv6 = message.family == .ipv6
        transport = drawInternetHeader(
            of: size, number, .notCapable, isIPv6 ? Self.protocolICMPv6 : Self.protocolICMP,
            from: isIPv6 ? Self.routerOfIPv6 : Self.routerOfIPv4, to: source.address)
        let quoted = transport + 8
        let segment =
            quoted
            + drawInternetHeader(
                of: Int(message.acknowledgement), UInt32(truncatingIfNeeded: message.echo),
                .notCapable, Self.protocolTCP, from: source.address, to: destination.address,
                at: quoted)
        put(source.port, at: segment)
        put(destination.port, at: segment + 2)
        put(UInt32(truncatingIfNeeded: message.sequence), at: segment + 4)
        // Packet too big; or destination unreachable, because fragmentation is needed.
        put(isIPv6 ? [2, 0, 0, 0, 0, 0] : [3, 4, 0, 0, 0, 0], at: transport)
        put(message.window, at: transport + 6)
        let sum =
            isIPv6
            ? checksum(of: Self.protocolICMPv6) : ~Self.sum(storage[transport..<size], from: 0)
        put(sum, at: transport + 2)
    }

    var payload: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: storage[payloadStart..<size])
    }

    /// Adds the checksum, then the damage: real damage comes after it, too.
    mutating func seal(isCorrupted: Bool) {
        put(checksum(of: Self.protocolTCP), at: transport + 16)
        if isCorrupted {
            // Damages the content, or the checksum if there is none, so that the header still
            // identifies the packet.
            let place = payloadStart < size ? (payloadStart + size) / 2 : transport + 16
            storage[place] ^= 0x10
        }
    }

    /// Draws a whole datagram.
    mutating func drawDatagram(
        _ payload: [UInt8], number: UInt32, from source: TCPFrame.Endpoint,
        to destination: TCPFrame.Endpoint, isCorrupted: Bool
    ) {
        let length = Self.datagramHeader + payload.count
        // Questions go to a resolver by IPv4.
        size = 20 + length
        transport = drawInternetHeader(
            of: size, number, .notCapable, Self.protocolUDP, from: source.address,
            to: destination.address)
        payloadStart = transport + Self.datagramHeader
        put(source.port, at: transport)
        put(destination.port, at: transport + 2)
        put(UInt16(length), at: transport + 4)
        put(UInt16(0), at: transport + 6)
        put(payload, at: payloadStart)
        let sum = checksum(of: Self.protocolUDP)
        // Zero would say that there is none.
        put(sum == 0 ? .max : sum, at: transport + 6)
        if isCorrupted { storage[(payloadStart + size) / 2] ^= 0x10 }
    }

    func bytes(withPayload: Bool) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: storage[..<(withPayload ? size : payloadStart)])
    }

    // MARK: Private parts

    /// Draws the header of IP for a packet of this size; returns its length. Only that of IPv4 has
    /// a number and a checksum.
    private mutating func drawInternetHeader(
        of size: Int, _ number: UInt32, _ codepoint: PacketRecord.Codepoint, _ transport: UInt8,
        from source: IPAddress, to destination: IPAddress, at place: Int = 0
    ) -> Int {
        guard case .v4 = source else {
            // The version, the codepoint at the end of the traffic class, and no flow label.
            put(0x6000_0000 | UInt32(codepoint.rawValue) << 20, at: place)
            put(UInt16(size - 40), at: place + 4)
            put([transport, Self.timeToLive], at: place + 6)
            put(source, at: place + 8)
            put(destination, at: place + 24)
            return 40
        }
        put(0x4500 | UInt16(codepoint.rawValue), at: place)
        put(UInt16(size), at: place + 2)
        put(UInt16(truncatingIfNeeded: number), at: place + 4)
        put([Self.dontFragment, 0, Self.timeToLive, transport], at: place + 6)
        put(UInt16(0), at: place + 10)
        put(source, at: place + 12)
        put(destination, at: place + 16)
        put(~Self.sum(storage[place..<place + 20], from: 0), at: place + 10)
        return 20
    }

    /// Draws the options; returns their size.
    private mutating func drawOptions(
        of packet: borrowing Packet, _ blocks: SelectiveAcknowledgement, at start: Int
    ) -> Int {
        // Milliseconds, like Linux's, but since the start of the run.
        let stamp = UInt32(truncatingIfNeeded: packet.stamp / 1_000_000)
        let echo = UInt32(truncatingIfNeeded: packet.echo / 1_000_000)
        if packet.flags.contains(.syn) {
            put([2, 4], at: start)
            put(largestSegment, at: start + 2)
            put([4, 2, 8, 10], at: start + 4)
            put(stamp, at: start + 8)
            put(echo, at: start + 12)
            put([1, 3, 3, windowShift], at: start + 16)
            return 20
        }
        put([1, 1, 8, 10], at: start)
        put(stamp, at: start + 4)
        put(echo, at: start + 8)
        let count = Int(blocks.count)
        guard count > 0 else { return 12 }
        put([1, 1, 5, UInt8(2 + 8 * count)], at: start + 12)
        for place in 0..<count {
            let block = blocks[place]
            let base = UInt32(truncatingIfNeeded: packet.acknowledgement)
            put(base &+ block.start, at: start + 16 + 8 * place)
            put(base &+ block.end, at: start + 20 + 8 * place)
        }
        return 16 + 8 * count
    }

    /// Returns the checksum of a segment or datagram whose own is zero. The pseudo-header is
    /// addresses, protocol and length (RFC 9293 §3.1, RFC 768, RFC 8200 §8.1).
    private func checksum(of protocolNumber: UInt8) -> UInt16 {
        // In both headers the addresses come last.
        let addresses = transport == 40 ? 8 : 12
        let start = UInt32(protocolNumber) + UInt32(size - transport)
        return ~Self.sum(storage[addresses..<size], from: start)
    }

    /// Returns the ones' complement sum of 16-bit words in network byte order. Words of 32 bits add
    /// up to the same sum (RFC 1071, §2).
    private static func sum(
        _ bytes: Slice<UnsafeMutableRawBufferPointer>, from start: UInt32
    ) -> UInt16 {
        let words = UnsafeRawBufferPointer(rebasing: bytes)
        var sum = UInt64(start)
        var place = 0
        while place + 7 < words.count {
            let two = UInt64(bigEndian: words.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            sum += two >> 32 + two & 0xffff_ffff
            place += 8
        }
        while place + 1 < words.count {
            sum += UInt64(words[place]) << 8 | UInt64(words[place + 1])
            place += 2
        }
        if place < words.count { sum += UInt64(words[place]) << 8 }
        while sum > 0xffff { sum = sum & 0xffff + sum >> 16 }
        return UInt16(sum)
    }

    private mutating func put(_ bytes: [UInt8], at place: Int) {
        for (index, byte) in bytes.enumerated() { storage[place + index] = byte }
    }

    private mutating func put(_ address: IPAddress, at place: Int) {
        switch address {
        case .v4(let number): put(number, at: place)
        case .v6(let network, let host):
            storage.storeBytes(of: network.bigEndian, toByteOffset: place, as: UInt64.self)
            storage.storeBytes(of: host.bigEndian, toByteOffset: place + 8, as: UInt64.self)
        }
    }

    private mutating func put(_ value: UInt16, at place: Int) {
        storage.storeBytes(of: value.bigEndian, toByteOffset: place, as: UInt16.self)
    }

    private mutating func put(_ value: UInt32, at place: Int) {
        storage.storeBytes(of: value.bigEndian, toByteOffset: place, as: UInt32.self)
    }
}
