package import Quantities

/// Some bytes of one version of one file, named instead of held: a terabyte of body costs no
/// memory.
package struct ContentRange: Hashable, Sendable, Codable {
    package var version: FileVersion
    package var offset: ByteCount
    package var length: ByteCount

    package init(_ version: FileVersion, offset: ByteCount, length: ByteCount) {
        self.version = version
        self.offset = offset
        self.length = length
    }

    package var end: ByteCount { offset + length }

    /// The first `count` bytes and the rest, as TCP would cut them.
    package func split(at count: ByteCount) -> (ContentRange, ContentRange) {
        precondition(count <= length, "cannot cut \(length) at \(count)")
        return (
            ContentRange(version, offset: offset, length: count),
            ContentRange(version, offset: offset + count, length: length - count)
        )
    }
}

extension [ContentRange] {
    /// Adds a range; one that continues the last is merged into it.
    package mutating func join(_ next: ContentRange) {
        guard next.length > .zero else { return }
        guard let previous = last, previous.version == next.version, previous.end == next.offset
        else { return append(next) }
        self[count - 1].length += next.length
    }
}

extension ContentRange: CustomStringConvertible {
    package var description: String {
        "\(version) [\(offset.bytes)..<\(end.bytes)]"
    }
}
