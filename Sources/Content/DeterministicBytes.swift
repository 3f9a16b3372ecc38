package import Quantities

/// The bytes behind a content range: a keyed function of file version and offset.
/// Bytes are made only on demand: for capture files, checksums and live files. Each aligned word of
/// eight bytes is one SplitMix64 step of (version, word index), so any place can be computed alone.
/// Two versions agree in a word only with a chance of 2⁻⁶⁴.
package enum DeterministicBytes {
    /// Returns the bytes of a range.
    package static func bytes(of range: ContentRange) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(range.length.bytes)) { buffer, count in
            fill(UnsafeMutableRawBufferPointer(buffer), from: range.offset, of: range.version)
            count = buffer.count
        }
    }

    /// Fills a buffer with the bytes at `offset` of a version; whole words take the fast path.
    package static func fill(
        _ buffer: UnsafeMutableRawBufferPointer, from offset: ByteCount, of version: FileVersion
    ) {
        let key = key(of: version)
        var place = 0
        while place < buffer.count {
            let position = offset.bytes + UInt64(place)
            let word = word(position / 8, key: key)
            let skip = Int(position % 8)
            if skip == 0 && buffer.count - place >= 8 {
                buffer.storeBytes(of: word.littleEndian, toByteOffset: place, as: UInt64.self)
                place += 8
            } else {
                let count = min(8 - skip, buffer.count - place)
                for index in 0..<count {
                    buffer[place + index] = UInt8(
                        truncatingIfNeeded: word >> UInt64(8 * (skip + index)))
                }
                place += count
            }
        }
    }

    /// Returns the versions of the bytes at `offset`, in order; other bytes are *unknown*.
    /// Bytes are compared in blocks, so that a join of two versions is located to the block and
    /// never missed.
    package static func recognise(
        _ bytes: UnsafeRawBufferPointer, at offset: ByteCount, among versions: [FileVersion],
        block: Int = 4096
    ) -> [ContentRange] {
        var found: [ContentRange] = []
        let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: block, alignment: 8)
        defer { scratch.deallocate() }
        var place = 0
        var likely = versions.first
        while place < bytes.count {
            let count = min(block, bytes.count - place)
            let here = UnsafeRawBufferPointer(rebasing: bytes[place..<(place + count)])
            let start = offset + ByteCount(UInt64(place))
            let matches: (FileVersion) -> Bool = { version in
                let expected = UnsafeMutableRawBufferPointer(rebasing: scratch[..<count])
                fill(expected, from: start, of: version)
                return expected.elementsEqual(here)
            }
            let version =
                likely.flatMap { matches($0) ? $0 : nil } ?? versions.first(where: matches)
            if let version { likely = version }
            found.join(
                ContentRange(
                    version ?? .unknown, offset: start, length: ByteCount(UInt64(count))))
            place += count
        }
        return found
    }

    private static func key(of version: FileVersion) -> UInt64 {
        mix(UInt64(version.file) << 32 | UInt64(version.edit))
    }

    private static func word(_ index: UInt64, key: UInt64) -> UInt64 { mix(key &+ index) }

    private static func mix(_ value: UInt64) -> UInt64 {
        var z = value &+ 0x9e37_79b9_7f4a_7c15
        z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
        return z ^ z >> 31
    }
}
