/// How far the packets have come: written once a second of the run, so that two runs whose packets
/// differ can be told apart without keeping every packet.
package struct PacketMark: Hashable, Sendable, Codable {
    @usableFromInline package var packets: UInt64
    @usableFromInline package var digest: UInt64

    package init(packets: UInt64, digest: UInt64) {
        self.packets = packets
        self.digest = digest
    }

    package var sentence: String { "\(packets) packet records so far" }
}
