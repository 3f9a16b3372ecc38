/// The facts of a TCP segment in an IPv4 packet that a flow's book needs.
struct SegmentHead: Hashable {
    var sourcePort: UInt16
    var destinationPort: UInt16
    var sequence: UInt32
    var acknowledgement: UInt32
    var payload: Int
    var opens: Bool
    var acknowledges: Bool

    /// `nil` for any other packet.
    init?(_ packet: UnsafeRawBufferPointer) {
        guard packet.count >= 40, packet[0] >> 4 == 4, packet[9] == 6 else { return nil }
        let head = Int(packet[0] & 15) * 4
        guard packet.count >= head + 20 else { return nil }
        func word(at place: Int) -> UInt32 {
            (0..<4).reduce(0) { $0 << 8 | UInt32(packet[head + place + $1]) }
        }
        sourcePort = UInt16(word(at: 0) >> 16)
        destinationPort = UInt16(word(at: 0) & 0xffff)
        sequence = word(at: 4)
        acknowledgement = word(at: 8)
        payload = packet.count - head - Int(packet[head + 12] >> 4) * 4
        opens = packet[head + 13] & 0x02 != 0
        acknowledges = packet[head + 13] & 0x10 != 0
    }
}
