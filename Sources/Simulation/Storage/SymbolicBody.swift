import Content
import Quantities

/// Content of a file as a list of ranges.
struct SymbolicBody: Sendable {
    private(set) var ranges: [ContentRange] = []
    private(set) var total = ByteCount.zero

    init(_ ranges: [ContentRange] = []) {
        self.ranges = ranges
        for range in ranges { total += range.length }
    }

    mutating func append(_ segment: Segment) {
        switch segment {
        case .content(let range): ranges.join(range)
        // Real bytes in a body belong to no file of the plan.
        case .bytes: ranges.join(Self.unknown(segment.length, at: total))
        }
        total += segment.length
    }

    /// Removes and returns everything after an offset.
    mutating func cut(at offset: ByteCount) -> [ContentRange] {
        guard offset < total else { return [] }
        var kept = SymbolicBody()
        var rest: [ContentRange] = []
        for range in ranges {
            let (head, tail) = range.split(
                at: kept.total < offset ? min(range.length, offset - kept.total) : .zero)
            kept.append(.content(head))
            rest.join(tail)
        }
        self = kept
        return rest
    }

    /// Overwrites from an offset; a gap before it reads as zeros, which belong to no file.
    mutating func place(_ written: [ContentRange], at offset: ByteCount) {
        if total < offset { append(.content(Self.unknown(offset - total, at: total))) }
        var behind = SymbolicBody(cut(at: offset))
        for range in written { append(.content(range)) }
        let covered = total - offset
        guard covered < behind.total else { return }
        for range in behind.cut(at: covered) { append(.content(range)) }
    }

    private static func unknown(_ length: ByteCount, at offset: ByteCount) -> ContentRange {
        ContentRange(.unknown, offset: offset, length: length)
    }
}
