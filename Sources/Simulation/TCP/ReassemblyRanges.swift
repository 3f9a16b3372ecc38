/// Received ranges of sequence numbers beyond a hole: disjoint and in order.
struct ReassemblyRanges {
    private(set) var ranges: [Range<UInt64>] = []
    private(set) var byteCount: UInt64 = 0
    /// One number from each of the ranges that grew last, the latest first.
    private var recent: (UInt64, UInt64, UInt64) = (0, 0, 0)

    var isEmpty: Bool { ranges.isEmpty }

    var end: UInt64 { ranges.last?.upperBound ?? 0 }

    /// Adds a range and joins it with the ranges that it touches.
    mutating func insert(_ new: Range<UInt64>) {
        join(new)
        // RFC 2018 §4: the first block contains the latest arrival, and no two blocks are the same
        // range.
        guard let grown = range(around: new.lowerBound) else { return }
        if grown.contains(recent.0) {
            recent.0 = new.lowerBound
        } else if grown.contains(recent.1) {
            recent = (new.lowerBound, recent.0, recent.2)
        } else {
            recent = (new.lowerBound, recent.0, recent.1)
        }
    }

    /// Whether all of `stretch` has been received.
    func holds(_ stretch: Range<UInt64>) -> Bool {
        range(around: stretch.lowerBound).map { stretch.upperBound <= $0.upperBound } ?? false
    }

    /// Returns the SACK blocks of a packet that acknowledges `next`: `duplicate`, then the ranges
    /// that grew last.
    func selectiveAcknowledgement(
        beyond next: UInt64, duplicate: Range<UInt64>?
    ) -> SelectiveAcknowledgement {
        var option = SelectiveAcknowledgement()
        if let duplicate { option.append(.init(duplicate, acknowledging: next)) }
        var last: (Range<UInt64>, Range<UInt64>) = (0..<0, 0..<0)
        for place in 0..<SelectiveAcknowledgement.capacity {
            let position = place == 0 ? recent.0 : place == 1 ? recent.1 : recent.2
            guard let range = range(around: position), range != last.0, range != last.1 else {
                continue
            }
            option.append(.init(range, acknowledging: next))
            last = (range, last.0)
        }
        return option
    }

    /// Returns the end of the received bytes from `next` on, and forgets the ranges before it.
    mutating func absorb(from next: UInt64) -> UInt64 {
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

    private func range(around position: UInt64) -> Range<UInt64>? {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound <= position { low = middle + 1 } else { high = middle }
        }
        guard low < ranges.count, ranges[low].contains(position) else { return nil }
        return ranges[low]
    }

    private mutating func join(_ new: Range<UInt64>) {
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
}

extension Range<UInt64> {
    fileprivate var length: UInt64 { upperBound - lowerBound }
}
