/// The fingerprint of a run: equal for equal runs in any build and process (S15).
///
/// Events are hashed in a canonical binary form; packet records, of which there are many, word by
/// word in streams of their own.
package struct RunDigest: RunLogReader, Sendable {
    private var events = Mixer()
    private var packets = RecordMixer()
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
        guard let records = batch.baseAddress else { return }
        for place in 0..<batch.count {
            // In the order in which the fields lie in memory, so that each sum is one load.
            let record = records + place
            packets.add(
                record.pointee.atNanoseconds,
                UInt64(record.pointee.packet) | UInt64(record.pointee.sequence) << 32,
                UInt64(record.pointee.acknowledgement) | UInt64(record.pointee.link) << 32
                    | UInt64(record.pointee.flow) << 48,
                UInt64(record.pointee.size) | UInt64(record.pointee.payload) << 16
                    | UInt64(record.pointee.kind.rawValue) << 32
                    | UInt64(record.pointee.flags.rawValue) << 40
                    | UInt64(unsafeBitCast(record.pointee.codepoint, to: UInt8.self)) << 48
                    | UInt64(record.pointee.filler) << 56)
        }
    }

    package var packetMark: PacketMark {
        PacketMark(packets: packetCount, digest: packetDigest)
    }

    private var packetDigest: UInt64 {
        var mixer = Mixer()
        mixer.add(packets.value)
        return mixer.value
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

    /// Four words at once. Only the multiplication of the sum waits for the record before.
    private struct RecordMixer: Sendable {
        var value: UInt64 = 0x9e37_79b9_7f4a_7c15

        @inline(__always)
        mutating func add(_ first: UInt64, _ second: UInt64, _ third: UInt64, _ fourth: UInt64) {
            let here = (first ^ 0xa076_1d64_78bd_642f)
                .multipliedFullWidth(by: second ^ 0xe703_7ed1_a0b4_28db)
            let there = (third ^ 0x8ebc_6af0_9c88_c6e3)
                .multipliedFullWidth(by: fourth ^ 0x5899_65cc_7537_4cc3)
            // The first word of each once more, should a product be nothing.
            let record = (here.low ^ here.high) &+ (there.low ^ there.high) &+ first &+ third
            value = value &* 0x9fb2_1c65_1e98_df25 &+ record
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
