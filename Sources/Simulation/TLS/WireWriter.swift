import Content
import Quantities

/// Writes TLS messages: numbers in network byte order, and vectors after their length (RFC 8446
/// §3).
struct WireWriter {
    private(set) var bytes: [UInt8] = []

    mutating func put(_ some: [UInt8]) { bytes += some }
    mutating func put8(_ value: Int) { bytes.append(UInt8(value)) }

    mutating func put16(_ value: Int) {
        put8(value >> 8)
        put8(value & 0xff)
    }

    mutating func put32(_ value: Int) {
        put16(value >> 16)
        put16(value & 0xffff)
    }

    /// Writes the output of `fill` after its length.
    mutating func putVector(lengthBytes: Int, _ fill: (inout WireWriter) -> Void) {
        var inner = WireWriter()
        fill(&inner)
        let length = inner.bytes.count
        for place in (0..<lengthBytes).reversed() { put8(length >> (8 * place) & 0xff) }
        bytes += inner.bytes
    }

    /// Writes bytes that look random or encrypted, but are the same in every run.
    mutating func putOpaque(_ count: Int) {
        let place = ContentRange(
            .unknown, offset: ByteCount(UInt64(bytes.count) << 20), length: ByteCount(UInt64(count))
        )
        bytes += DeterministicBytes.bytes(of: place)
    }
}
