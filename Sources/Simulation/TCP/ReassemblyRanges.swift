/// What has arrived beyond a hole: disjoint stretches of sequence numbers, in order.
struct ReassemblyRanges {
    private(set) var ranges: [Range<UInt64>] = []

    var isEmpty: Bool { ranges.isEmpty }

    /// Adds a stretch, and joins it with those that it touches.
    mutating func insert(_ new: Range<UInt64>) {
        // Most often the newest packet continues the last stretch: search from the end.
        var end = ranges.count
        while end > 0, ranges[end - 1].lowerBound > new.upperBound { end -= 1 }
        var start = end
        while start > 0, ranges[start - 1].upperBound >= new.lowerBound { start -= 1 }
        guard start < end else { return ranges.insert(new, at: start) }
        let lower = min(new.lowerBound, ranges[start].lowerBound)
        let upper = max(new.upperBound, ranges[end - 1].upperBound)
        ranges[start] = lower..<upper
        if end - start > 1 { ranges.removeSubrange((start + 1)..<end) }
    }

    /// How far the stream is whole if it is whole up to `next`; what that uses up is forgotten.
    mutating func absorb(from next: UInt64) -> UInt64 {
        guard let first = ranges.first, first.lowerBound <= next else { return next }
        // Stretches never touch each other: only the first can reach down to `next`, but a long
        // packet may have covered some of them.
        var whole = next
        var used = 0
        while used < ranges.count, ranges[used].lowerBound <= whole {
            whole = max(whole, ranges[used].upperBound)
            used += 1
        }
        ranges.removeFirst(used)
        return whole
    }
}
