import Content
import Quantities
import Testing

@testable import Simulation

@Suite struct SegmentTableTests {
    /// A head, two ranges of one file that follow each other, and two of others that only look so.
    private static let segments: [Segment] = [
        .bytes(Array(0..<100)),
        .content(.file(1, 5_000)),
        .content(ContentRange.file(1, 9_000).split(at: ByteCount(5_000)).1),
        .bytes([1, 2, 3]),
        .content(.file(2, 7)),
        .content(ContentRange.file(3, 2_000).split(at: ByteCount(7)).1),
    ]

    @Test(arguments: Array(UInt64(1)...40)) func `however a stream is cut, the content is the same`(
        seed: UInt64
    ) {
        var random = RandomStream(seed: seed, name: "cuts")
        var table = SegmentTable()
        for segment in Self.segments {
            var rest = segment
            while rest.length > .zero {
                let (head, tail) = rest.split(at: ByteCount(1 + random.below(rest.length.bytes)))
                table.append(head)
                rest = tail
            }
        }
        var left = Self.segments.length.bytes
        var taken: [Segment] = []
        while left > 0 {
            let count = 1 + random.below(min(left, 1_448))
            let before = taken.length.bytes
            table.take(count, into: &taken)
            #expect(taken.length.bytes == before + count, "seed \(seed)")
            left -= count
        }
        #expect(joined(taken) == joined(Self.segments), "seed \(seed)")
    }

    @Test func `a body is one piece, in however many it was handed over`() {
        var table = SegmentTable()
        var rest = ContentRange.file(1, 1_000_000_000_000)
        for _ in 0..<1_000 {
            let (head, tail) = rest.split(at: ByteCount(1_000_000))
            table.append(.content(head))
            rest = tail
        }
        table.append(.content(rest))
        var taken: [Segment] = []
        table.take(1_000_000_000_000, into: &taken)
        #expect(taken == [.content(.file(1, 1_000_000_000_000))])
    }

    /// Neighbours that belong together made one, so that only content counts.
    private func joined(_ segments: [Segment]) -> [Segment] {
        var result: [Segment] = []
        for segment in segments {
            switch (result.last, segment) {
            case (.bytes(let last), .bytes(let next)):
                result[result.count - 1] = .bytes(last + next)
            case (.content(let last), .content(let next)):
                var ranges = [last]
                ranges.join(next)
                result.removeLast()
                result += ranges.map(Segment.content)
            case (nil, _), (.bytes, .content), (.content, .bytes):
                result.append(segment)
            }
        }
        return result
    }
}
