import Content
import Quantities

/// Content of one direction of a stream, from the first unread byte.
///
/// Packets carry only offsets and lengths. The receiver looks up the content here, in order, when
/// it reads. A terabyte of body is one entry, however it was written.
struct SegmentTable {
    private var segments: [Segment] = []
    /// First segment that was not wholly read, and how much of it was read.
    private var head = 0
    private var readOfHead: UInt64 = 0

    /// Appends a segment; a range that continues the last one is joined to it.
    mutating func append(_ segment: Segment) {
        guard segment.length > .zero else { return }
        // A segment that was wholly read must not grow.
        if head < segments.count { segments.join(segment) } else { segments.append(segment) }
    }

    /// Moves the next `count` bytes, which must exist, to the end of `output`.
    mutating func take(_ count: UInt64, into output: inout [Segment]) {
        var wanted = count
        while wanted > 0 {
            precondition(head < segments.count, "\(wanted) B more than the stream holds")
            let length: UInt64
            let here: UInt64
            switch segments[head] {
            case .content(let range):
                length = range.length.bytes
                here = min(wanted, length - readOfHead)
                output.join(
                    .content(
                        ContentRange(
                            range.version, offset: ByteCount(range.offset.bytes + readOfHead),
                            length: ByteCount(here))))
            case .bytes(let bytes):
                length = UInt64(bytes.count)
                here = min(wanted, length - readOfHead)
                output.append(.bytes(Array(bytes[Int(readOfHead)..<Int(readOfHead + here)])))
            }
            wanted -= here
            readOfHead += here
            if readOfHead == length { dropHead() }
        }
    }

    private mutating func dropHead() {
        head += 1
        readOfHead = 0
        // Rarely, to spread the cost of moving the rest.
        if head >= 32, 2 * head >= segments.count {
            segments.removeFirst(head)
            head = 0
        }
    }
}
