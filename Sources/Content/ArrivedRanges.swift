/// Ranges of a stream that have arrived beyond a gap: disjoint and in order.
package struct ArrivedRanges: Sendable {
    package private(set) var ranges: [Range<UInt64>] = []
    package private(set) var byteCount: UInt64 = 0

    package init() {}

    package var isEmpty: Bool { ranges.isEmpty }

    package var end: UInt64 { ranges.last?.upperBound ?? 0 }

    /// Adds a range and joins it with the ranges that it touches.
    package mutating func insert(_ new: Range<UInt64>) {
        // The newest packet usually continues the last range: search from the end.
        var end = ranges.count
        while end > 0, ranges[end - 1].lowerBound > new.upperBound { end -= 1 }
        var start = end
        while start > 0, ranges[start - 1].upperBound >= new.lowerBound { start -= 1 }
        guard start < end else {
            byteCount += new.length
            return ranges.insert(new, at: start)
        }
        let lower = min(new.lowerBound, ranges[start].lowerBound)
        let upper = max(new.upperBound, ranges[end - 1].upperBound)
        for range in ranges[start..<end] { byteCount -= range.length }
        ranges[start] = lower..<upper
        byteCount += upper - lower
        if end - start > 1 { ranges.removeSubrange((start + 1)..<end) }
    }

    /// Returns the range with this offset.
    package func range(around position: UInt64) -> Range<UInt64>? {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound <= position { low = middle + 1 } else { high = middle }
        }
        guard low < ranges.count, ranges[low].contains(position) else { return nil }
        return ranges[low]
    }

    /// Returns the end of what has arrived from `next` on, and forgets the ranges before it.
    package mutating func absorb(from next: UInt64) -> UInt64 {
        guard let first = ranges.first, first.lowerBound <= next else { return next }
        // Ranges never touch each other, so only the first can begin at `next`; but a long packet
        // may have covered several.
        var whole = next
        var used = 0
        while used < ranges.count, ranges[used].lowerBound <= whole {
            whole = max(whole, ranges[used].upperBound)
            byteCount -= ranges[used].length
            used += 1
        }
        ranges.removeFirst(used)
        return whole
    }
}

extension Range<UInt64> {
    fileprivate var length: UInt64 { upperBound - lowerBound }
}
