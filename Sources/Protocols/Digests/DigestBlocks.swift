/// The block structure of SHA-1 and SHA-256: blocks of 64 bytes, then the length.
struct DigestBlocks: Hashable, Sendable {
    static let size = 64

    /// Bytes that do not fill a block yet.
    private var rest: [UInt8] = []
    private var length: UInt64 = 0

    mutating func take(_ bytes: [UInt8], mix: (ArraySlice<UInt8>) -> Void) {
        length += UInt64(bytes.count)
        var waiting = bytes[...]
        if !rest.isEmpty {
            let missing = waiting.prefix(Self.size - rest.count)
            rest += missing
            waiting = waiting.dropFirst(missing.count)
            guard rest.count == Self.size else { return }
            mix(rest[...])
            rest = []
        }
        while waiting.count >= Self.size {
            mix(waiting.prefix(Self.size))
            waiting = waiting.dropFirst(Self.size)
        }
        rest = Array(waiting)
    }

    mutating func end(mix: (ArraySlice<UInt8>) -> Void) {
        let bits = length &* 8
        var tail: [UInt8] = [0x80]
        while (rest.count + tail.count) % Self.size != Self.size - 8 { tail.append(0) }
        for shift in stride(from: UInt64(56), through: 0, by: -8) {
            tail.append(UInt8(truncatingIfNeeded: bits >> shift))
        }
        take(tail, mix: mix)
    }

    static func words(of block: ArraySlice<UInt8>, room: Int) -> [UInt32] {
        var words = [UInt32](repeating: 0, count: room)
        for (index, byte) in block.enumerated() {
            words[index / 4] = words[index / 4] << 8 | UInt32(byte)
        }
        return words
    }

    static func bytes(of state: [UInt32]) -> [UInt8] {
        state.flatMap { word in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
        }
    }
}
