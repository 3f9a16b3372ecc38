import Foundation

/// The packets of a capture file of a simulated run, read byte by byte.
struct CapturedPackets {
    struct Packet {
        /// Nanoseconds since the beginning of the run.
        var at: Int
        /// The whole IP packet.
        var bytes: [UInt8]
        var isUp: Bool
        var sequence: UInt32
        var acknowledgement: UInt32
        var payload: Int
        var flags: UInt8

        var isSYN: Bool { flags & 2 != 0 }
        /// The sequence numbers that it takes.
        var length: Int { payload + (isSYN ? 1 : 0) + Int(flags & 1) }
    }

    private(set) var packets: [Packet] = []
    private let serverPort = 80

    init(_ file: Data) {
        let bytes = [UInt8](file)
        var place = 24
        while place + 16 <= bytes.count {
            let head = (0..<3).map { Self.little(bytes, place + 4 * $0) }
            let packet = Array(bytes[(place + 16)..<(place + 16 + head[2])])
            add(packet, at: head[0] * 1_000_000_000 + head[1])
            place += 16 + head[2]
        }
    }

    private mutating func add(_ packet: [UInt8], at time: Int) {
        let tcp = 4 * Int(packet[0] & 15)
        let header = 4 * Int(packet[tcp + 12] >> 4)
        packets.append(
            Packet(
                at: time, bytes: packet, isUp: Self.big(packet, tcp + 2, 2) == serverPort,
                sequence: UInt32(Self.big(packet, tcp + 4, 4)),
                acknowledgement: UInt32(Self.big(packet, tcp + 8, 4)),
                payload: packet.count - tcp - header, flags: packet[tcp + 13]))
    }

    private static func little(_ bytes: [UInt8], _ place: Int) -> Int {
        (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
    }

    private static func big(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int {
        (0..<count).reduce(0) { $0 << 8 | Int(bytes[place + $1]) }
    }
}
