import Content
import Quantities
import Testing

@Suite struct SegmentTests {
    @Test func `a segment splits like the bytes it stands for`() {
        let range = ContentRange(
            FileVersion(file: 1, edit: 0), offset: ByteCount(10), length: ByteCount(5))
        let (head, tail) = Segment.content(range).split(at: ByteCount(2))
        #expect(head.length == ByteCount(2) && tail.length == ByteCount(3))
        let (left, right) = Segment.bytes([1, 2, 3]).split(at: ByteCount(1))
        #expect(left == .bytes([1]) && right == .bytes([2, 3]))
    }

    @Test func `ranges that continue each other become one`() {
        let version = FileVersion(file: 1, edit: 0)
        var ranges: [ContentRange] = []
        ranges.join(ContentRange(version, offset: .zero, length: ByteCount(5)))
        ranges.join(ContentRange(version, offset: ByteCount(5), length: ByteCount(5)))
        ranges.join(ContentRange(version, offset: ByteCount(11), length: ByteCount(1)))
        #expect(ranges.map(\.length.bytes) == [10, 1])
    }

    @Test func `pieces of a stream that continue each other become one`() {
        let version = FileVersion(file: 1, edit: 0)
        func piece(_ offset: UInt64, _ length: UInt64) -> Segment {
            .content(
                ContentRange(version, offset: ByteCount(offset), length: ByteCount(length)))
        }
        var stream: [Segment] = [.bytes([1])]
        for next in [piece(0, 5), piece(5, 5), piece(11, 1), .bytes([2]), .bytes([3])] {
            stream.join(next)
        }
        #expect(stream == [.bytes([1]), piece(0, 10), piece(11, 1), .bytes([2]), .bytes([3])])
    }
}
