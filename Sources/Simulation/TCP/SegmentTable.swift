import Content
import Quantities

/// The content of one direction of a stream, from the first byte that the receiver has not read.
///
/// Packets carry offsets and lengths only; what stands there is looked up here, in order, when the
/// receiver reads. A terabyte of body is one entry, however it was handed over.
struct SegmentTable {
    private var segments: [Segment] = []
    /// The first that is not wholly read, how much of it has been, and how much it has.
    private var head = 0
    private var readOfHead: UInt64 = 0

    /// Adds to the end; a range that goes on where the last one ends is joined to it.
    mutating func append(_ segment: Segment) {
        guard segment.length > .zero else { return }
        // What is wholly read is told no more, and grows no more.
        if head < segments.count { segments.join(segment) } else { segments.append(segment) }
    }

    /// Moves the next `count` bytes to the end of `output`; so many must be there.
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
        // Rarely, so that the cost of moving the rest is shared by many.
        if head >= 32, 2 * head >= segments.count {
            segments.removeFirst(head)
            head = 0
        }
    }
}
