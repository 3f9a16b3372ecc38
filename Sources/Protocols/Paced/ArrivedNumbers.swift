/// Packet numbers that have arrived: a bit for each, from the first that is missing.
struct ArrivedNumbers: Hashable, Sendable {
    /// All numbers below have arrived, or are no longer needed.
    private(set) var contiguous: UInt64 = 0
    /// The number after the highest that has arrived.
    private(set) var end: UInt64 = 0
    /// A ring of words, all zero but for those of `contiguous..<end`.
    private var words = [UInt64](repeating: 0, count: 16)

    /// How far a number may be beyond the first that is missing. A gigabit per second sends fewer
    /// packets in a minute.
    static let widest: UInt64 = 1 << 23

    /// Adds a number; returns whether it is new and needed.
    mutating func insert(_ number: UInt64) -> Bool {
        if number == end, number == contiguous {
            // Nothing is missing, and no word is needed.
            contiguous += 1
            end += 1
            return true
        }
        guard number >= contiguous, number - contiguous < Self.widest else { return false }
        if number >> 6 - contiguous >> 6 >= UInt64(words.count) { widen(for: number) }
        let place = place(of: number)
        let bit: UInt64 = 1 << (number & 63)
        guard words[place] & bit == 0 else { return false }
        words[place] |= bit
        if number >= end { end = number + 1 }
        if number == contiguous { advance() }
        return true
    }

    /// Gives up all numbers below `floor`: their content arrives under other numbers.
    mutating func giveUp(below floor: UInt64) {
        guard floor > contiguous, floor - contiguous < Self.widest else { return }
        let last = min(floor, end)
        while contiguous < last {
            let next = (contiguous >> 6 + 1) << 6
            if next <= last { words[place(of: contiguous)] = 0 }
            contiguous = min(next, last)
        }
        if contiguous == end { words[place(of: contiguous)] = 0 }
        contiguous = floor
        end = max(end, floor)
        advance()
    }

    /// Returns the numbers from `start` to `limit` that have not arrived, as far as they fit into a
    /// report, and the end of what they tell.
    func missing(
        from start: UInt64, below limit: UInt64
    ) -> (ranges: [Range<UInt64>], end: UInt64) {
        var ranges: [Range<UInt64>] = []
        var number = start
        var room = PacedFormat.roomForMissing
        while true {
            let begin = next(from: number, isSet: false, below: limit)
            guard begin < limit else { return (ranges, max(limit, start)) }
            let end = next(from: begin, isSet: true, below: limit)
            room -= PacedFormat.size(of: begin - number) + PacedFormat.size(of: end - begin)
            guard room >= 0 else { return (ranges, begin) }
            ranges.append(begin..<end)
            number = end
        }
    }

    // MARK: Private parts

    /// Moves `contiguous` over numbers that have arrived.
    private mutating func advance() {
        while contiguous < end {
            let place = place(of: contiguous)
            let ones = (~(words[place] >> (contiguous & 63))).trailingZeroBitCount
            let rest = 64 - Int(contiguous & 63)
            guard ones >= rest else {
                contiguous += UInt64(ones)
                // A word that ends below the end has a gap; the last one may be over.
                if contiguous == end { words[place] = 0 }
                return
            }
            words[place] = 0
            contiguous += UInt64(rest)
        }
    }

    /// Returns the next number from `number` on whose bit is as asked; at most the limit.
    private func next(from number: UInt64, isSet: Bool, below limit: UInt64) -> UInt64 {
        var number = number
        while number < limit {
            let word = words[place(of: number)]
            let rest = (isSet ? word : ~word) >> (number & 63)
            if rest != 0 { return min(number + UInt64(rest.trailingZeroBitCount), limit) }
            number = (number >> 6 + 1) << 6
        }
        return limit
    }

    private func place(of number: UInt64) -> Int {
        Int(truncatingIfNeeded: number >> 6) & (words.count - 1)
    }

    private mutating func widen(for number: UInt64) {
        var count = words.count
        while number >> 6 - contiguous >> 6 >= UInt64(count) { count *= 2 }
        var wider = [UInt64](repeating: 0, count: count)
        var known = contiguous
        while known < end {
            let word = Int(truncatingIfNeeded: known >> 6)
            wider[word & (count - 1)] = words[place(of: known)]
            known = (known >> 6 + 1) << 6
        }
        words = wider
    }
}
