/// The fingerprint of a run: equal for equal runs in any build and process (S15).
///
/// Events are hashed in a canonical binary form. Packet records are hashed word by word, because
/// there are many.
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
        // Local copies stay in registers, so that records do not wait for memory.
        var mixer = packets
        for place in 0..<batch.count {
            // In memory order, so that each sum is one load.
            let record = records + place
            mixer.add(
                record.pointee.atNanoseconds,
                UInt64(record.pointee.packet) | UInt64(record.pointee.sequence) << 32,
                UInt64(record.pointee.acknowledgement) | UInt64(record.pointee.link) << 32
                    | UInt64(record.pointee.flow) << 48,
                UInt64(record.pointee.size) | UInt64(record.pointee.payload) << 16
                    | UInt64(record.pointee.kind.rawValue) << 32
                    | UInt64(record.pointee.flags.rawValue) << 40
                    | UInt64(unsafeBitCast(record.pointee.codepoint, to: UInt8.self)) << 48
                    | UInt64(record.pointee.ae) << 56)
        }
        packets = mixer
    }

    package var packetMark: PacketMark {
        PacketMark(packets: packetCount, digest: packetDigest)
    }

    private var packetDigest: UInt64 {
        var mixer = Mixer()
        mixer.add(packets.first)
        mixer.add(packets.second)
        mixer.add(packets.third)
        mixer.add(packets.fourth)
        return mixer.value
    }

    /// The digest as sixteen hexadecimal digits.
    package var text: String {
        var whole = Mixer()
        whole.add(eventCount)
        whole.add(events.value)
        whole.add(packetCount)
        whole.add(packetDigest)
        return Self.digits(of: whole)
    }

    /// Returns one digest of many runs' digests, in order.
    package static func text(of digests: [String]) -> String {
        var whole = Mixer()
        for digest in digests {
            for byte in digest.utf8 { whole.add(UInt64(byte)) }
        }
        return digits(of: whole)
    }

    private static func digits(of mixer: Mixer) -> String {
        let digits = String(mixer.value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Hashes four words at once, each into a sum of its own. Every step is invertible, so a
    /// different word shows unless a later one happens to cancel it. The rotation moves differences
    /// in the upper half to where the multiplication spreads them.
    private struct RecordMixer: Sendable {
        var first: UInt64 = 0x9e37_79b9_7f4a_7c15
        var second: UInt64 = 0xa076_1d64_78bd_642f
        var third: UInt64 = 0xe703_7ed1_a0b4_28db
        var fourth: UInt64 = 0x8ebc_6af0_9c88_c6e3

        @inline(__always)
        mutating func add(_ first: UInt64, _ second: UInt64, _ third: UInt64, _ fourth: UInt64) {
            self.first = Self.step(self.first, first)
            self.second = Self.step(self.second, second)
            self.third = Self.step(self.third, third)
            self.fourth = Self.step(self.fourth, fourth)
        }

        @inline(__always)
        private static func step(_ sum: UInt64, _ word: UInt64) -> UInt64 {
            let mixed = sum ^ word
            return (mixed << 32 | mixed >> 32) &* 0x9fb2_1c65_1e98_df25
        }
    }

    /// A hash that detects changes; it is not cryptographic.
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
    /// The event without paths of the command line, so that a run is the same from any folder.
    fileprivate var asPlayed: RunEvent {
        guard case .run(.began(var beginning)) = fact else { return self }
        beginning.path = ""
        beginning.command = ""
        beginning.traces = beginning.traces.map { traces in
            traces.map { IncludedTrace(kind: $0.kind, path: "", steps: $0.steps) }
        }
        return RunEvent(at: at, app: app, .run(.began(beginning)))
    }
}
