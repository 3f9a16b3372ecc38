package import Quantities
package import RunLog

/// Numbers captured packets as the log does. Links 0 and 1 are the uplink and downlink of the
/// clients' first interface, links 2 and 3 of the second. Flows are counted from 0, in the order of
/// their first packets.
/// Sequence numbers stay as on the wire. At most `flowLimit` flows are known at a time; then the
/// next flow takes the number of the oldest.
package struct CapturedFlows: Sendable {
    private let serverPort: UInt16
    /// Returns the interface of a client's address.
    private let interfaceOf: @Sendable (IPAddress) -> UInt16
    private var flows: [TCPFrame.Endpoint: UInt16] = [:]
    /// The client of each flow number.
    private var clients: [TCPFrame.Endpoint] = []
    private var flowCount = 0
    /// The number of packets on each link.
    private var packets: [UInt32] = []

    package static let uplink: UInt16 = 0
    package static let downlink: UInt16 = 1
    /// The first flow number of other traffic on simulated links.
    package static let flowLimit = 0x8000

    package init(
        serverPort: UInt16, interfaceOf: @escaping @Sendable (IPAddress) -> UInt16 = { _ in 0 }
    ) {
        self.serverPort = serverPort
        self.interfaceOf = interfaceOf
    }

    /// Returns the record of a frame in a run that began at this wall-clock time, or `nil` if the
    /// packet is not the server's.
    package mutating func record(
        of frame: CapturedFrame, link: FrameLink, since start: UInt64
    ) -> PacketRecord? {
        guard
            let packet = try? TCPFrame(
                parsing: frame.bytes, originalLength: frame.originalLength, link: link)
        else { return nil }
        let wall = frame.wallNanoseconds
        return record(of: packet, at: Instant(nanoseconds: wall > start ? wall - start : 0))
    }

    /// Returns the record of a packet, or `nil` if it is not the server's.
    package mutating func record(of frame: TCPFrame, at now: Instant) -> PacketRecord? {
        let isUplink = frame.destination.port == serverPort
        guard isUplink || frame.source.port == serverPort else { return nil }
        let client = isUplink ? frame.source : frame.destination
        let flow = flow(of: client, frame.flags)
        let link = 2 * interfaceOf(client.address) + (isUplink ? Self.uplink : Self.downlink)
        while packets.count <= Int(link) { packets.append(0) }
        defer { packets[Int(link)] += 1 }
        return PacketRecord(
            atNanoseconds: now.nanoseconds, kind: .captured, packet: packets[Int(link)],
            link: link, flow: flow,
            // Only a super-segment can exceed the length field: it counts as the longest packet.
            size: UInt16(clamping: frame.size), payload: UInt16(clamping: frame.payload),
            sequence: frame.sequence, acknowledgement: frame.acknowledgement, flags: frame.flags)
    }

    /// Returns the flow of a packet; a SYN begins a new flow, because addresses are reused.
    private mutating func flow(
        of client: TCPFrame.Endpoint, _ flags: PacketRecord.Flags
    ) -> UInt16 {
        if let known = flows[client], flags != .syn { return known }
        let number = flowCount % Self.flowLimit
        flowCount += 1
        if number == clients.count {
            clients.append(client)
        } else {
            if flows[clients[number]] == UInt16(number) { flows[clients[number]] = nil }
            clients[number] = client
        }
        flows[client] = UInt16(number)
        return UInt16(number)
    }
}
