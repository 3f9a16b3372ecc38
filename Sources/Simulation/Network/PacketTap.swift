package import Capture
import Content
import RunLog

/// Writes packets into capture files, as somebody would who captures at one end of the network:
/// what that end sends, when it sends it, and what reaches it, when it arrives.
///
/// So a packet that is lost on the way stands in the capture of its sender only, and one that was
/// doubled or damaged on the way does so in that of its receiver. Stamps count from the run's
/// beginning, as the log's do.
package struct PacketTap: ~Copyable {
    private let client: CaptureWriter?
    private let server: CaptureWriter?
    /// By their places: the latest in each.
    private var connections: [Connection] = []
    /// By their places, too: the numbers of all that were there.
    private var numbers: [[UInt32]] = []
    private var image: PacketImage

    /// Indexed by its ends: first the one that opened it.
    private struct Connection {
        var generation: UInt8
        /// Of the end that accepts.
        var port: UInt16
        var interface: Int
        /// What is sent reaches the other end.
        var isWhole = true
        var firstSequences: [UInt64] = [0, 0]
        var streams = [SentStream(), SentStream()]
    }

    /// From the blocks for documentation of RFC 5737: the clients' addresses begin with 192.0.2.2.
    static func address(of interface: Int) -> UInt32 { 0xc000_0202 + UInt32(interface) }
    private static let serverAddress: UInt32 = 0xc633_6401
    /// Linux gives those who open connections ports from here on, and begins anew at their end.
    private static let firstEphemeralPort: UInt32 = 32_768
    private static let ephemeralPorts: UInt32 = 28_232

    /// Each place has a file of its own, or none.
    package init(
        client: String?, server: String?, snapLength: Int? = nil
    ) throws(CaptureError) {
        let atClient = try Self.writer(client, snapLength)
        let atServer = try Self.writer(server, snapLength)
        self.client = atClient
        self.server = atServer
        image = PacketImage()
    }

    /// Of the hosts' TCP; before the first packet.
    mutating func windowsTravel(inUnitsOf shift: UInt8) { image.windowShift = shift }

    /// Throws as soon as a file could not be written.
    package func check() throws(CaptureError) {
        try client?.check()
        try server?.check()
    }

    /// Brings everything to the files.
    package func finish() throws(CaptureError) {
        try client?.flush()
        try server?.flush()
    }

    // MARK: What the network tells

    /// A connection to this port is begun, in a new place or in that of one which is long over.
    mutating func opened(
        _ handle: StreamHandle, number: UInt32, port: UInt16, over interface: Int
    ) {
        let place = handle.place / 2
        var connection = Connection(generation: 0, port: port, interface: interface)
        if place == connections.count {
            connections.append(connection)
            numbers.append([number])
        } else {
            connection.generation = connections[place].generation &+ 1
            connections[place] = connection
            numbers[place].append(number)
        }
    }

    /// What the ends of a connection send does not reach its peer from now on.
    mutating func wayIsCut(_ handle: StreamHandle) { connections[handle.place / 2].isWhole = false }

    /// An end of a connection is to send these, behind what it was given before.
    mutating func given(_ segments: [Segment], to handle: StreamHandle) {
        connections[handle.place / 2].streams[handle.place % 2].append(segments)
    }

    /// A packet enters a link, where it has this number.
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

    /// A packet comes out of a link.
    mutating func arrives(
        _ packet: borrowing Packet, with blocks: SelectiveAcknowledgement, by link: Int32,
        atNanoseconds now: UInt64
    ) {
        let isUp = NetworkHost.isUplink(link)
        guard isUp ? server != nil : client != nil else { return }
        // It came to somebody on the way.
        if isUp, !connections[Int(packet.endpoint / 2)].isWhole { return }
        let isWhole = draw(packet, blocks, packet.number, isUp: isUp)
        write(isWhole: isWhole, atClient: !isUp, atNanoseconds: now)
    }

    // MARK: Private parts

    /// Answers whether all bytes of the packet are known.
    private mutating func draw(
        _ packet: borrowing Packet, _ blocks: SelectiveAcknowledgement, _ number: UInt32,
        isUp: Bool
    ) -> Bool {
        let sender = Int(packet.endpoint ^ 1)
        let connection = connections[sender / 2]
        let isLatest = packet.generation == connection.generation
        let own = ephemeralPort(of: packet)
        let ports = sender % 2 == 0 ? (own, connection.port) : (connection.port, own)
        let client = Self.address(of: connection.interface)
        image.begin(
            packet, blocks, number: number,
            from: .init(address: isUp ? client : Self.serverAddress, port: ports.0),
            to: .init(address: isUp ? Self.serverAddress : client, port: ports.1))
        // The SYN has the number before the first byte.
        let offset = packet.sequence &- connection.firstSequences[sender % 2] &- 1
        // What comes when another connection has its place is too late to be looked up.
        let isWhole =
            packet.payload == 0
            || (isLatest
                && connection.streams[sender % 2].fill(image.payload, from: offset))
        image.seal(isCorrupted: packet.isCorrupted)
        return isWhole
    }

    /// Each connection's own, though it has come to the place of another.
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
