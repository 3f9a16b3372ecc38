/// The digest of a growing text. Both functions mix in blocks of 64 bytes, the last of which ends
/// with the length.
package struct Digest: Hashable, Sendable {
    private let function: Function
    private var state: [UInt32]
    /// Bytes that do not fill a block yet.
    private var rest: [UInt8] = []
    private var length: UInt64 = 0

    package enum Function: String, CaseIterable, Sendable { case sha1, sha256 }

    private static let blockSize = 64

    package init(_ function: Function) {
        self.function = function
        state =
            switch function {
            case .sha1: SHA1.start
            case .sha256: SHA256.start
            }
    }

    package mutating func update(_ bytes: [UInt8]) {
        length += UInt64(bytes.count)
        var waiting = bytes[...]
        if !rest.isEmpty {
            let missing = waiting.prefix(Self.blockSize - rest.count)
            rest += missing
            waiting = waiting.dropFirst(missing.count)
            guard rest.count == Self.blockSize else { return }
            mix(rest[...])
            rest = []
        }
        while waiting.count >= Self.blockSize {
            mix(waiting.prefix(Self.blockSize))
            waiting = waiting.dropFirst(Self.blockSize)
        }
        rest = Array(waiting)
    }

    package mutating func finish() -> [UInt8] {
        update(Self.end(behind: length))
        return Self.bytes(of: state)
    }

    /// What follows a text of so many bytes: a bit, zeros up to the end of a block, and the length.
    static func end(behind length: UInt64) -> [UInt8] {
        let bits = length &* 8
        var end: [UInt8] = [0x80]
        let full = UInt64(blockSize)
        while (length + UInt64(end.count)) % full != full - 8 { end.append(0) }
        return end + bytes(of: [UInt32(bits >> 32), UInt32(truncatingIfNeeded: bits)])
    }

    /// Returns an HMAC (RFC 2104) in hexadecimal digits, for a key of at most one block.
    package static func signature(of text: String, by key: [UInt8]) -> String {
        precondition(key.count <= blockSize, "the key is longer than a block")
        let padded = key + [UInt8](repeating: 0, count: blockSize - key.count)
        var inner = Digest(.sha256)
        inner.update(padded.map { $0 ^ 0x36 })
        inner.update(Array(text.utf8))
        var outer = Digest(.sha256)
        outer.update(padded.map { $0 ^ 0x5c })
        outer.update(inner.finish())
        let digits = Array("0123456789abcdef".utf8)
        let hexadecimal = outer.finish().flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: hexadecimal, as: UTF8.self)
    }

    private mutating func mix(_ block: ArraySlice<UInt8>) {
        switch function {
        case .sha1: SHA1.mix(block, into: &state)
        case .sha256: SHA256.mix(block, into: &state)
        }
    }

    static func words(of block: ArraySlice<UInt8>, room: Int) -> [UInt32] {
        var words = [UInt32](repeating: 0, count: room)
        for (index, byte) in block.enumerated() {
            words[index / 4] = words[index / 4] << 8 | UInt32(byte)
        }
        return words
    }

    private static func bytes(of words: [UInt32]) -> [UInt8] {
        words.flatMap { word in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
        }
    }
}
