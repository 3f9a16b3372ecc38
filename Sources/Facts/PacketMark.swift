/// The number of packets so far and their digest. The mark is written for each second of the run,
/// so that it shows where the packets of two runs first differ.
package struct PacketMark: Hashable, Sendable, Codable {
    @usableFromInline package var packets: UInt64
    @usableFromInline package var digest: UInt64

    package init(packets: UInt64, digest: UInt64) {
        self.packets = packets
        self.digest = digest
    }

    package var sentence: String { "\(packets) packet records so far" }
}
