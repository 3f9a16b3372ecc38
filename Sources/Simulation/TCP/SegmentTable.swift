import Content
import Quantities

/// The content of one direction of a stream, from the first byte that the receiver has not read.
///
/// Packets carry offsets and lengths only; what stands there is looked up here, in order, when the
/// receiver reads. A terabyte of body is one entry, however it was handed over.
struct SegmentTable {
    private var segments: [Segment] = []
    /// The first that is not wholly read, and how much of it has been.
    private var head = 0
    private var readOfHead: ByteCount = .zero

    /// Adds to the end; a range that goes on where the last one ends is joined to it.
    mutating func append(_ segment: Segment) {
        guard segment.length > .zero else { return }
        if case .content(let next) = segment, head < segments.count,
            case .content(var last) = segments[segments.count - 1],
            last.version == next.version, last.end == next.offset
        {
            last.length += next.length
            segments[segments.count - 1] = .content(last)
        } else {
            segments.append(segment)
        }
    }

    /// Moves the next `count` bytes to the end of `output`; so many must be there.
    mutating func take(_ count: ByteCount, into output: inout [Segment]) {
        var wanted = count
        while wanted > .zero {
            precondition(head < segments.count, "\(wanted) more than the stream holds")
            let here = min(wanted, segments[head].length - readOfHead)
            output.append(segments[head].slice(from: readOfHead, count: here))
            wanted = wanted - here
            readOfHead += here
            if readOfHead == segments[head].length { dropHead() }
        }
    }

    private mutating func dropHead() {
        head += 1
        readOfHead = .zero
        // Rarely, so that the cost of moving the rest is shared by many.
        if head >= 32, 2 * head >= segments.count {
            segments.removeFirst(head)
            head = 0
        }
    }
}

extension Segment {
    fileprivate func slice(from start: ByteCount, count: ByteCount) -> Segment {
        switch self {
        case .bytes(let bytes):
            .bytes(Array(bytes[Int(start.bytes)..<Int((start + count).bytes)]))
        case .content(let range):
            .content(ContentRange(range.version, offset: range.offset + start, length: count))
        }
    }
}
