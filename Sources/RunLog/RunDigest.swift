/// The fingerprint of a run: equal for equal runs in any build and process (S15).
///
/// Events are hashed in a canonical binary form; packet records, of which there are many, word by
/// word in a stream of their own.
package struct RunDigest: RunLogReader, Sendable {
    private var events = Mixer()
    private var packets = Mixer()
    private var encoder = CanonicalEncoder()
    package private(set) var eventCount: UInt64 = 0
    package private(set) var packetCount: UInt64 = 0

    package init() {}

    package mutating func read(_ event: RunEvent) {
        eventCount += 1
        for byte in encoder.encode(event.asPlayed) { events.add(UInt64(byte)) }
    }

    package mutating func read(packets batch: UnsafeBufferPointer<PacketRecord>) {
        packetCount += UInt64(batch.count)
        for record in batch {
            packets.add(record.atNanoseconds)
            packets.add(UInt64(record.packet) << 32 | UInt64(record.sequence))
            packets.add(
                UInt64(record.acknowledgement) << 32 | UInt64(record.size) << 16
                    | UInt64(record.payload))
            packets.add(
                UInt64(record.codepoint.rawValue) << 48 | UInt64(record.link) << 32
                    | UInt64(record.flow) << 16
                    | UInt64(record.kind.rawValue) << 8 | UInt64(record.flags.rawValue))
        }
    }

    package var packetMark: PacketMark {
        PacketMark(packets: packetCount, digest: packets.value)
    }

    /// Sixteen hexadecimal digits.
    package var text: String {
        var whole = Mixer()
        whole.add(eventCount)
        whole.add(events.value)
        whole.add(packetCount)
        whole.add(packets.value)
        let digits = String(whole.value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Not cryptographic: it must notice a change, not an enemy.
    private struct Mixer: Sendable {
        var value: UInt64 = 0x9e37_79b9_7f4a_7c15

        @inline(__always)
        mutating func add(_ word: UInt64) {
            let product = (value ^ word).multipliedFullWidth(by: 0xbf58_476d_1ce4_e5b9)
            value = product.low ^ product.high &+ 0x94d0_49bb_1331_11eb
        }
    }
}

extension RunEvent {
    /// Without what only tells from where the run was started: it is the same run from anywhere.
    fileprivate var asPlayed: RunEvent {
        guard case .run(.began(var beginning)) = fact else { return self }
        beginning.path = ""
        beginning.command = ""
        return RunEvent(at: at, .run(.began(beginning)))
    }
}
