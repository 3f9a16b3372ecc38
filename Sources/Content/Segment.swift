public import Quantities

/// A piece of a byte stream: real bytes for heads, a content range for bodies.
public enum Segment: Hashable, Sendable, Codable {
    case bytes([UInt8])
    case content(ContentRange)

    public var length: ByteCount {
        switch self {
        case .bytes(let bytes): ByteCount(UInt64(bytes.count))
        case .content(let range): range.length
        }
    }

    /// Splits the segment into its first `count` bytes and the rest.
    public func split(at count: ByteCount) -> (Segment, Segment) {
        switch self {
        case .bytes(let bytes):
            let cut = Int(count.bytes)
            precondition(cut <= bytes.count, "cannot cut \(bytes.count) B at \(cut)")
            return (.bytes(Array(bytes[..<cut])), .bytes(Array(bytes[cut...])))
        case .content(let range):
            let (head, tail) = range.split(at: count)
            return (.content(head), .content(tail))
        }
    }
}

extension [Segment] {
    /// Adds a segment, merging a range that continues the last one.
    public mutating func join(_ next: Segment) {
        if case .content(let next) = next, case .content(var last) = self.last,
            last.version == next.version, last.end == next.offset
        {
            last.length += next.length
            self[count - 1] = .content(last)
        } else {
            append(next)
        }
    }

    public var length: ByteCount {
        // Loops over indices to avoid reference counting.
        var bytes: UInt64 = 0
        for place in indices {
            switch self[place] {
            case .bytes(let some): bytes += UInt64(some.count)
            case .content(let range): bytes += range.length.bytes
            }
        }
        return ByteCount(bytes)
    }

    /// Splits the segments into the first `count` bytes, or all if there are fewer, and the rest.
    public func split(at count: ByteCount) -> ([Segment], [Segment]) {
        var head: [Segment] = []
        var left = count
        for place in indices {
            let segment = self[place]
            guard segment.length > left else {
                head.append(segment)
                left = left - segment.length
                continue
            }
            guard left > .zero else { return (head, Array(self[place...])) }
            let (part, rest) = segment.split(at: left)
            return (head + [part], [rest] + self[(place + 1)...])
        }
        return (head, [])
    }
}
