/// The bytes of a stream that have arrived, whatever their order.
struct ArrivedContent: Sendable {
    /// The first byte that is missing.
    private var missing: UInt64 = 0
    /// What has arrived beyond it: ranges in order, with gaps between them.
    private var beyond: [Range<UInt64>] = []

    /// Adds bytes; returns how many of them are new.
    mutating func add(_ range: Range<UInt64>) -> UInt64 {
        let range = max(range.lowerBound, missing)..<max(range.upperBound, missing)
        guard !range.isEmpty else { return 0 }
        if beyond.isEmpty, range.lowerBound == missing {
            missing = range.upperBound
            return range.upperBound - range.lowerBound
        }
        let first = firstPlace { $0.upperBound >= range.lowerBound }
        var last = first
        var merged = range
        var known: UInt64 = 0
        while last < beyond.count, beyond[last].lowerBound <= range.upperBound {
            known += range.clamped(to: beyond[last]).length
            merged =
                min(
                    merged.lowerBound, beyond[last].lowerBound)..<max(
                    merged.upperBound, beyond[last].upperBound)
            last += 1
        }
        beyond.replaceSubrange(first..<last, with: CollectionOfOne(merged))
        if let front = beyond.first, front.lowerBound == missing {
            missing = front.upperBound
            beyond.removeFirst()
        }
        return range.length - known
    }

    /// Returns the first place from which on a condition holds.
    private func firstPlace(_ holds: (Range<UInt64>) -> Bool) -> Int {
        var (low, high) = (0, beyond.count)
        while low < high {
            let middle = (low + high) / 2
            if holds(beyond[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension Range<UInt64> {
    fileprivate var length: UInt64 { upperBound - lowerBound }
}
