package import Capture
import Content
import Quantities
import RunLog

/// Writes capture files as if captured at an end of the network: sent packets when they leave,
/// received packets when they arrive.
///
/// A packet lost on the way is in its sender's capture only; duplicates and damage show in the
/// receiver's. Times count from the start of the run.
package struct PacketTap: ~Copyable {
    private let client: CaptureWriter?
    private let server: CaptureWriter?
    /// Latest connection in each place.
    private var connections: [Connection] = []
    /// Numbers of all connections that each place has had.
    private var numbers: [[UInt32]] = []
    private var image: PacketImage
    /// How long clients may use an answer about a name.
    var keepsNames = TimeSpan.zero

    /// Connection in a place. Arrays have two elements; the first is for the end that opened the
    /// connection.
    private struct Connection {
        var generation: UInt8
        /// Port on which the accepting end listens.
        var port: UInt16
        var interface: Int
        /// Largest segment that the opener takes, without options.
        var largestSegment: UInt16
        /// Whether packets still reach the other end.
        var isWhole = true
        var firstSequences: [UInt64] = [0, 0]
        var streams = [SentStream(), SentStream()]
    }

    /// Returns the client's address on an interface, from 192.0.2.2 on. All addresses are from the
    /// documentation blocks of RFC 5737 and RFC 3849.
    static func address(of interface: Int) -> UInt32 { 0xc000_0202 + UInt32(interface) }
    private static let resolverAddress = IPAddress.v4(0xc633_6435)

    private static func serverAddress(_ family: AddressFamily) -> IPAddress {
        switch family {
        case .ipv4: .v4(0xc633_6401)
        case .ipv6: .v6(0x2001_0db8_0000_0000, 1)
        }
    }

    /// Returns the client's address of this family: 2001:db8:1::2 is that of the first interface.
    private static func address(of interface: Int, _ family: AddressFamily) -> IPAddress {
        switch family {
        case .ipv4: .v4(address(of: interface))
        case .ipv6: .v6(0x2001_0db8_0001_0000, 2 + UInt64(interface))
        }
    }
    /// Linux's range of ephemeral ports, used in turn.
    private static let firstEphemeralPort: UInt32 = 32_768
    private static let ephemeralPorts: UInt32 = 28_232
    /// Size of the timestamps in a segment, which the largest segment of a SYN includes.
    private static let timestamps: UInt16 = 12

    /// Creates a file for each end that has a path.
    package init(
        client: String?, server: String?, snapLength: Int? = nil
    ) throws(CaptureError) {
        let atClient = try Self.writer(client, snapLength)
        let atServer = try Self.writer(server, snapLength)
        self.client = atClient
        self.server = atServer
        image = PacketImage()
    }

    /// Sets the window scale of the hosts. Must come before the first packet.
    mutating func windowsTravel(inUnitsOf shift: UInt8) { image.windowShift = shift }

    /// Throws if a file could not be written.
    package func check() throws(CaptureError) {
        try client?.check()
        try server?.check()
    }

    /// Flushes the files.
    package func finish() throws(CaptureError) {
        try client?.flush()
        try server?.flush()
    }

    // MARK: What the network tells

    /// Notes a new connection, in a new place or in the place of one long over.
    mutating func opened(
        _ handle: StreamHandle, number: UInt32, port: UInt16, over interface: Int,
        segment: UInt64
    ) {
        let place = handle.place / 2
        var connection = Connection(
            generation: 0, port: port, interface: interface,
            largestSegment: UInt16(segment) + Self.timestamps)
        if place == connections.count {
            connections.append(connection)
            numbers.append([number])
        } else {
            connection.generation = connections[place].generation &+ 1
            connections[place] = connection
            numbers[place].append(number)
        }
    }

    /// Notes that packets of a connection no longer reach the peer.
    mutating func wayIsCut(_ handle: StreamHandle) { connections[handle.place / 2].isWhole = false }

    /// Notes content that an end is to send, after all earlier content.
    mutating func given(_ segments: [Segment], to handle: StreamHandle) {
        connections[handle.place / 2].streams[handle.place % 2].append(segments)
    }

    /// Captures a packet that enters a link; `number` is its number on that link.
    mutating func leaves(
        _ packet: borrowing Packet, with blocks: SelectiveAcknowledgement, number: UInt32,
        by link: Int32, atNanoseconds now: UInt64
    ) {
        let sender = Int(packet.endpoint ^ 1)
        if packet.flags.contains(.syn) {
            connections[sender / 2].firstSequences[sender % 2] = packet.sequence
        }
        let isUp = NetworkHost.isUplink(link)
        guard isUp ? client != nil : server != nil else { return }
        let isWhole = draw(packet, blocks, number, isUp: isUp)
        write(isWhole: isWhole, atClient: isUp, atNanoseconds: now)
    }

    /// Captures a packet that leaves a link.
    mutating func arrives(
        _ packet: borrowing Packet, with blocks: SelectiveAcknowledgement, by link: Int32,
        atNanoseconds now: UInt64
    ) {
        let isUp = NetworkHost.isUplink(link)
        guard isUp ? server != nil : client != nil else { return }
        // The packet ends in the middle of the network.
        if isUp, !connections[Int(packet.endpoint / 2)].isWhole { return }
        let isWhole = draw(packet, blocks, packet.number, isUp: isUp)
        write(isWhole: isWhole, atClient: !isUp, atNanoseconds: now)
    }

    /// Captures a question for a name, or its answer, at the client.
    mutating func asks(
        _ packet: borrowing Packet, number: UInt32, by link: Int32, atNanoseconds now: UInt64
    ) {
        guard client != nil else { return }
        let message = NamePackets.Message(packet)
        let port = Self.firstEphemeralPort + message.transaction % Self.ephemeralPorts
        let client = TCPFrame.Endpoint(
            address: Self.address(of: Int(link >> 1), .ipv4), port: UInt16(port))
        let resolver = TCPFrame.Endpoint(address: Self.resolverAddress, port: NamePackets.port)
        let isUp = NetworkHost.isUplink(link)
        image.drawDatagram(
            message.bytes(keep: keepsNames), number: number, from: isUp ? client : resolver,
            to: isUp ? resolver : client, isCorrupted: packet.isCorrupted)
        write(isWhole: true, atClient: true, atNanoseconds: now)
    }

    // MARK: Private parts

    /// Draws the packet; returns whether all its bytes are known.
    private mutating func draw(
        _ packet: borrowing Packet, _ blocks: SelectiveAcknowledgement, _ number: UInt32,
        isUp: Bool
    ) -> Bool {
        let sender = Int(packet.endpoint ^ 1)
        let connection = connections[sender / 2]
        let isLatest = packet.generation == connection.generation
        let own = ephemeralPort(of: packet)
        let ports = sender % 2 == 0 ? (own, connection.port) : (connection.port, own)
        let client = Self.address(of: connection.interface, packet.family)
        let server = Self.serverAddress(packet.family)
        let (from, to): (TCPFrame.Endpoint, TCPFrame.Endpoint) = (
            .init(address: isUp ? client : server, port: ports.0),
            .init(address: isUp ? server : client, port: ports.1)
        )
        if packet.isRoutersMessage {
            image.draw(message: packet, number: number, about: to, to: from)
            return true
        }
        image.largestSegment = connection.largestSegment
        image.begin(packet, blocks, number: number, from: from, to: to)
        // The SYN has the number before the first byte.
        let offset = packet.sequence &- connection.firstSequences[sender % 2] &- 1
        // Bytes of an earlier connection in this place are no longer known.
        let isWhole =
            packet.payload == 0
            || (isLatest
                && connection.streams[sender % 2].fill(image.payload, from: offset))
        image.seal(isCorrupted: packet.isCorrupted)
        return isWhole
    }

    /// Returns the opener's port. It differs between connections, even in a place that was used
    /// before.
    private func ephemeralPort(of packet: borrowing Packet) -> UInt16 {
        let place = Int(packet.endpoint / 2)
        let later = connections[place].generation &- packet.generation
        let number = numbers[place][numbers[place].count - 1 - Int(later)]
        return UInt16(Self.firstEphemeralPort + (number &- 1) % Self.ephemeralPorts)
    }

    private func write(isWhole: Bool, atClient: Bool, atNanoseconds now: UInt64) {
        let bytes = image.bytes(withPayload: isWhole)
        if atClient {
            client?.write(bytes, originalLength: image.size, atNanoseconds: now)
        } else {
            server?.write(bytes, originalLength: image.size, atNanoseconds: now)
        }
    }

    private static func writer(
        _ file: String?, _ snapLength: Int?
    ) throws(CaptureError) -> CaptureWriter? {
        guard let file else { return nil }
        return try CaptureWriter(
            path: file, link: .raw, snapLength: snapLength ?? CaptureWriter.wholeFrames)
    }
}
