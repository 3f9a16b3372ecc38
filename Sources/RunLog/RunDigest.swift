/// The fingerprint of a run: equal for equal runs in any build and process (S15).
///
/// Events are hashed in a canonical binary form; packet records, of which there are many, word by
/// word in streams of their own.
package struct RunDigest: RunLogReader, Sendable {
    private var events = Mixer()
    /// Two, because a multiplication has to wait for the one before it in its own row only.
    private var times = PairMixer()
    private var sizes = PairMixer()
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
            // In the order in which the fields lie in memory, so that each sum is one load.
            times.add(
                record.atNanoseconds, UInt64(record.packet) | UInt64(record.sequence) << 32)
            sizes.add(
                UInt64(record.acknowledgement) | UInt64(record.link) << 32
                    | UInt64(record.flow) << 48,
                UInt64(record.size) | UInt64(record.payload) << 16
                    | UInt64(record.kind.rawValue) << 32 | UInt64(record.flags.rawValue) << 40
                    | UInt64(record.codepoint.rawValue) << 48)
        }
    }

    package var packetMark: PacketMark {
        PacketMark(packets: packetCount, digest: packetDigest)
    }

    private var packetDigest: UInt64 {
        var packets = Mixer()
        packets.add(times.value)
        packets.add(sizes.value)
        return packets.value
    }

    /// Sixteen hexadecimal digits.
    package var text: String {
        var whole = Mixer()
        whole.add(eventCount)
        whole.add(events.value)
        whole.add(packetCount)
        whole.add(packetDigest)
        let digits = String(whole.value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Two words at once. What was there before stays in the sum, should a product be nothing.
    private struct PairMixer: Sendable {
        var value: UInt64 = 0x9e37_79b9_7f4a_7c15

        @inline(__always)
        mutating func add(_ first: UInt64, _ second: UInt64) {
            let product = (value ^ first).multipliedFullWidth(by: second ^ 0xbf58_476d_1ce4_e5b9)
            value = value &+ (product.low ^ product.high)
        }
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
