import Content

/// Received ranges of sequence numbers beyond a hole, and which of them grew last.
struct ReassemblyRanges {
    private var whole = ArrivedRanges()
    /// One number from each of the ranges that grew last, the latest first.
    private var recent: (UInt64, UInt64, UInt64) = (0, 0, 0)

    var ranges: [Range<UInt64>] { whole.ranges }
    var byteCount: UInt64 { whole.byteCount }
    var isEmpty: Bool { whole.isEmpty }
    var end: UInt64 { whole.end }

    /// Adds a range and joins it with the ranges that it touches.
    mutating func insert(_ new: Range<UInt64>) {
        whole.insert(new)
        // RFC 2018 §4: the first block contains the latest arrival, and no two blocks are the same
        // range.
        guard let grown = whole.range(around: new.lowerBound) else { return }
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
        whole.range(around: stretch.lowerBound).map { stretch.upperBound <= $0.upperBound } ?? false
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
            guard let range = whole.range(around: position), range != last.0, range != last.1
            else { continue }
            option.append(.init(range, acknowledging: next))
            last = (range, last.0)
        }
        return option
    }

    /// Returns the end of the received bytes from `next` on, and forgets the ranges before it.
    mutating func absorb(from next: UInt64) -> UInt64 { whole.absorb(from: next) }
}
