import Capture
import RunLog

/// Bytes of a simulated packet: IPv4 (RFC 791) and TCP (RFC 9293) with checksums, and with the
/// options of RFC 7323 and RFC 2018 in Linux's order; or a UDP datagram (RFC 768), or a router's
/// message (RFC 792).
///
/// One raw buffer is reused, because every byte of a capture is written here.
struct PacketImage: ~Copyable {
    private let storage: UnsafeMutableRawBufferPointer
    private(set) var size = 0
    private var payloadStart = 0
    /// Window scale in a SYN.
    var windowShift: UInt8 = 0
    /// Largest segment in a SYN, without options.
    var largestSegment = UInt16(Packet.maximumSize - 40)

    private static let internetHeader = 20
    /// Limit of IPv4's length field.
    private static let capacity = 65_535
    private static let protocolTCP: UInt8 = 6
    private static let protocolICMP: UInt8 = 1
    /// The first address of a documentation block of RFC 5737.
    private static let routerAddress: UInt32 = 0xcb00_7101
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
        let options = drawOptions(of: packet, blocks)
        payloadStart = Self.internetHeader + 20 + options
        precondition(
            payloadStart + Int(packet.payload) == size,
            "\(packet.flags) of \(size) B with \(packet.payload) B of payload and \(options) B of "
                + "options")
        drawInternetHeader(
            of: size, number, packet.codepoint, Self.protocolTCP, from: source.address,
            to: destination.address)
        put(source.port, at: 20)
        put(destination.port, at: 22)
        put(UInt32(truncatingIfNeeded: packet.sequence), at: 24)
        let isAcknowledging = packet.flags.contains(.ack)
        put(isAcknowledging ? UInt32(truncatingIfNeeded: packet.acknowledgement) : 0, at: 28)
        storage[32] = UInt8((20 + options) / 4) << 4 | packet.ae
        storage[33] = packet.flags.rawValue
        put(packet.window, at: 34)
        put(UInt32(0), at: 36)
    }

    /// Draws a router's message that a packet was too large, with the beginning of that packet.
    mutating func draw(
        message: borrowing Packet, number: UInt32, about source: TCPFrame.Endpoint,
        to destination: TCPFrame.Endpoint
    ) {
        size = Int(message.size)
        payloadStart = size
        let quoted = 28
        drawInternetHeader(
            of: Int(message.acknowledgement), UInt32(truncatingIfNeeded: message.echo),
            .notCapable, Self.protocolTCP, from: source.address, to: destination.address,
            at: quoted)
        put(~Self.sum(storage[quoted..<quoted + Self.internetHeader], from: 0), at: quoted + 10)
        put(source.port, at: quoted + 20)
        put(destination.port, at: quoted + 22)
        put(UInt32(truncatingIfNeeded: message.sequence), at: quoted + 24)
        drawInternetHeader(
            of: size, number, .notCapable, Self.protocolICMP, from: Self.routerAddress,
            to: source.address)
        // Destination unreachable, because fragmentation is needed.
        put([3, 4, 0, 0, 0, 0], at: 20)
        put(message.window, at: 26)
        put(~Self.sum(storage[..<Self.internetHeader], from: 0), at: 10)
        put(~Self.sum(storage[20..<size], from: 0), at: 22)
    }

    var payload: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: storage[payloadStart..<size])
    }

    /// Adds the checksums, then the damage: real damage comes after them, too.
    mutating func seal(isCorrupted: Bool) {
        put(~Self.sum(storage[..<Self.internetHeader], from: 0), at: 10)
        put(checksum(of: Self.protocolTCP), at: 36)
        if isCorrupted {
            // Damages the content, or the checksum if there is none, so that the header still
            // identifies the packet.
            let place = payloadStart < size ? (payloadStart + size) / 2 : 36
            storage[place] ^= 0x10
        }
    }

    /// Draws a whole datagram.
    mutating func drawDatagram(
        _ payload: [UInt8], number: UInt32, from source: TCPFrame.Endpoint,
        to destination: TCPFrame.Endpoint, isCorrupted: Bool
    ) {
        payloadStart = Self.internetHeader + Self.datagramHeader
        size = payloadStart + payload.count
        drawInternetHeader(
            of: size, number, .notCapable, Self.protocolUDP, from: source.address,
            to: destination.address)
        put(~Self.sum(storage[..<Self.internetHeader], from: 0), at: 10)
        put(source.port, at: 20)
        put(destination.port, at: 22)
        put(UInt16(size - Self.internetHeader), at: 24)
        put(UInt16(0), at: 26)
        put(payload, at: payloadStart)
        let sum = checksum(of: Self.protocolUDP)
        // Zero would say that there is none.
        put(sum == 0 ? .max : sum, at: 26)
        if isCorrupted { storage[(payloadStart + size) / 2] ^= 0x10 }
    }

    func bytes(withPayload: Bool) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: storage[..<(withPayload ? size : payloadStart)])
    }

    // MARK: Private parts

    private mutating func drawInternetHeader(
        of size: Int, _ number: UInt32, _ codepoint: PacketRecord.Codepoint, _ transport: UInt8,
        from source: UInt32, to destination: UInt32, at place: Int = 0
    ) {
        put(0x4500 | UInt16(codepoint.rawValue), at: place)
        put(UInt16(size), at: place + 2)
        put(UInt16(truncatingIfNeeded: number), at: place + 4)
        put([Self.dontFragment, 0, Self.timeToLive, transport], at: place + 6)
        put(UInt16(0), at: place + 10)
        put(source, at: place + 12)
        put(destination, at: place + 16)
    }

    /// Draws the options; returns their size.
    private mutating func drawOptions(
        of packet: borrowing Packet, _ blocks: SelectiveAcknowledgement
    ) -> Int {
        // Milliseconds, like Linux's, but since the start of the run.
        let stamp = UInt32(truncatingIfNeeded: packet.stamp / 1_000_000)
        let echo = UInt32(truncatingIfNeeded: packet.echo / 1_000_000)
        if packet.flags.contains(.syn) {
            put([2, 4], at: 40)
            put(largestSegment, at: 42)
            put([4, 2, 8, 10], at: 44)
            put(stamp, at: 48)
            put(echo, at: 52)
            put([1, 3, 3, windowShift], at: 56)
            return 20
        }
        put([1, 1, 8, 10], at: 40)
        put(stamp, at: 44)
        put(echo, at: 48)
        let count = Int(blocks.count)
        guard count > 0 else { return 12 }
        put([1, 1, 5, UInt8(2 + 8 * count)], at: 52)
        for place in 0..<count {
            let block = blocks[place]
            let base = UInt32(truncatingIfNeeded: packet.acknowledgement)
            put(base &+ block.start, at: 56 + 8 * place)
            put(base &+ block.end, at: 60 + 8 * place)
        }
        return 16 + 8 * count
    }

    /// Returns the checksum of a segment or datagram whose own is zero. The pseudo-header is
    /// addresses, protocol and length (RFC 9293 §3.1, RFC 768).
    private func checksum(of protocolNumber: UInt8) -> UInt16 {
        let start = UInt32(protocolNumber) + UInt32(size - Self.internetHeader)
        return ~Self.sum(storage[12..<size], from: start)
    }

    /// Returns the ones' complement sum of 16-bit words in network byte order (RFC 1071).
    private static func sum(
        _ bytes: Slice<UnsafeMutableRawBufferPointer>, from start: UInt32
    ) -> UInt16 {
        let words = UnsafeRawBufferPointer(rebasing: bytes)
        var sum = UInt64(start)
        var place = 0
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

    private mutating func put(_ value: UInt16, at place: Int) {
        storage.storeBytes(of: value.bigEndian, toByteOffset: place, as: UInt16.self)
    }

    private mutating func put(_ value: UInt32, at place: Int) {
        storage.storeBytes(of: value.bigEndian, toByteOffset: place, as: UInt32.self)
    }
}
