public import Quantities

/// Some bytes of one version of one file, named instead of held: a terabyte of body costs no
/// memory.
public struct ContentRange: Hashable, Sendable, Codable {
    public var version: FileVersion
    public var offset: ByteCount
    public var length: ByteCount

    public init(_ version: FileVersion, offset: ByteCount, length: ByteCount) {
        self.version = version
        self.offset = offset
        self.length = length
    }

    public var end: ByteCount { offset + length }

    /// Splits the range into its first `count` bytes and the rest, as TCP may.
    public func split(at count: ByteCount) -> (ContentRange, ContentRange) {
        precondition(count <= length, "cannot cut \(length) at \(count)")
        return (
            ContentRange(version, offset: offset, length: count),
            ContentRange(version, offset: offset + count, length: length - count)
        )
    }
}

extension [ContentRange] {
    /// The same content in as few ranges as possible.
    package var joined: [ContentRange] {
        var joined: [ContentRange] = []
        for range in self { joined.join(range) }
        return joined
    }

    /// Adds a range, and merges it with the last range if they are contiguous.
    public mutating func join(_ next: ContentRange) {
        guard next.length > .zero else { return }
        guard let previous = last, previous.version == next.version, previous.end == next.offset
        else { return append(next) }
        self[count - 1].length += next.length
    }

    /// A symbolic digest of the ranges' content; for a whole version it is the version's digest.
    public var digest: UInt64 {
        if count == 1, self[0].offset == .zero { return self[0].version.digest }
        return reduce(0) { sum, range in
            let words = [range.version.digest, range.offset.bytes, range.length.bytes]
            return words.reduce(sum) { ($0 ^ $1 &+ 1) &* 0x9e37_79b9_7f4a_7c15 }
        }
    }
}

extension ContentRange: CustomStringConvertible {
    public var description: String {
        "\(version) [\(offset.bytes)..<\(end.bytes)]"
    }
}
