/// Packets whose fate the sender does not know, and their content.
///
/// A number is never used twice. It is settled once it has arrived, or once its content waits to
/// leave under another number.
struct SentPackets: Sendable {
    /// The number of the next packet.
    private(set) var end: UInt64 = 0
    /// All numbers below are settled.
    private(set) var floor: UInt64 = 0
    /// The first number whose content is still known.
    private var kept: UInt64 = 0
    /// A ring: the running number of each packet's first chunk.
    private var starts = [UInt64](repeating: 0, count: 1_024)
    /// A ring of bits: the settled numbers.
    private var settled = [UInt64](repeating: 0, count: 16)
    /// A ring: the chunks of all packets whose content is known.
    private var chunks = [PacedChunk](
        repeating: PacedChunk(file: 0, offset: 0, length: 0), count: 1_024)
    /// The running number of the first chunk that is known, the number after the last chunk, and
    /// that of the first chunk of the next packet.
    private var chunkStart: UInt64 = 0
    private var chunkEnd: UInt64 = 0
    private var nextStart: UInt64 = 0

    // MARK: Sending

    /// Adds a chunk to the next packet.
    mutating func add(_ chunk: PacedChunk) {
        if chunkEnd - chunkStart >= UInt64(chunks.count) { widenChunks() }
        chunks[chunkPlace(of: chunkEnd)] = chunk
        chunkEnd += 1
    }

    /// Numbers the next packet.
    mutating func close() -> UInt64 {
        // A word of bits is never shared by old and new numbers.
        if end - (kept & ~63) >= UInt64(starts.count) { widen() }
        let number = end
        starts[place(of: number)] = nextStart
        // The bits after the latest number are zero.
        if number & 63 == 0 { settled[wordPlace(of: number)] = 0 }
        nextStart = chunkEnd
        end += 1
        return number
    }

    // MARK: Reports

    /// Settles the numbers of a range, which have arrived.
    mutating func settle(_ range: Range<UInt64>) {
        var number = max(range.lowerBound, floor)
        let last = min(range.upperBound, end)
        while number < last {
            let next = min((number >> 6 + 1) << 6, last)
            let ones: UInt64 = next - number == 64 ? .max : 1 << (next - number) - 1
            settled[wordPlace(of: number)] |= ones << (number & 63)
            number = next
        }
    }

    /// Settles a missing number; returns false if it is settled already.
    mutating func settleMissing(_ number: UInt64) -> Bool {
        guard number >= floor, number < end else { return false }
        let place = wordPlace(of: number)
        let bit: UInt64 = 1 << (number & 63)
        guard settled[place] & bit == 0 else { return false }
        settled[place] |= bit
        return true
    }

    func isSettled(_ number: UInt64) -> Bool {
        guard number >= floor, number < end else { return true }
        return settled[wordPlace(of: number)] >> (number & 63) & 1 == 1
    }

    /// Moves the floor, and forgets the content of packets below `number`, all of which have
    /// arrived or are settled.
    mutating func forget(below number: UInt64) {
        kept = max(kept, min(number, end))
        chunkStart = kept < end ? starts[place(of: kept)] : nextStart
        floor = max(floor, kept)
        while floor < end {
            let word = settled[wordPlace(of: floor)] >> (floor & 63)
            let ones = (~word).trailingZeroBitCount
            let rest = 64 - Int(floor & 63)
            floor = min(floor + UInt64(min(ones, rest)), end)
            guard ones >= rest else { return }
        }
    }

    // MARK: Queries

    /// Returns a packet's chunks; none if they are forgotten.
    func chunks(of number: UInt64) -> SentChunks {
        guard number >= kept, number < end else {
            return SentChunks(ring: chunks, first: 0, end: 0)
        }
        let next = number + 1 < end ? starts[place(of: number + 1)] : nextStart
        return SentChunks(ring: chunks, first: starts[place(of: number)], end: next)
    }

    /// Returns the size of an IP packet whose content is known.
    func size(of number: UInt64) -> Int {
        chunks(of: number).reduce(PacedFormat.outerHeaders + PacedFormat.emptyData) {
            $0 + PacedFormat.chunkHeader + Int($1.length)
        }
    }

    // MARK: Private parts

    private func place(of number: UInt64) -> Int {
        Int(truncatingIfNeeded: number) & (starts.count - 1)
    }

    private func wordPlace(of number: UInt64) -> Int {
        Int(truncatingIfNeeded: number >> 6) & (settled.count - 1)
    }

    private func chunkPlace(of number: UInt64) -> Int {
        Int(truncatingIfNeeded: number) & (chunks.count - 1)
    }

    private mutating func widen() {
        let count = 2 * starts.count
        var wider = [UInt64](repeating: 0, count: count)
        var bits = [UInt64](repeating: 0, count: count / 64)
        for number in kept..<end {
            let place = Int(truncatingIfNeeded: number)
            wider[place & (count - 1)] = starts[self.place(of: number)]
            bits[(place >> 6) & (bits.count - 1)] |=
                settled[wordPlace(of: number)] & (1 << (number & 63))
        }
        starts = wider
        settled = bits
    }

    private mutating func widenChunks() {
        let count = 2 * chunks.count
        var wider = chunks + chunks
        for number in chunkStart..<chunkEnd {
            wider[Int(truncatingIfNeeded: number) & (count - 1)] = chunks[chunkPlace(of: number)]
        }
        chunks = wider
    }
}

/// The chunks of a packet that was sent.
package struct SentChunks: Sequence, IteratorProtocol {
    /// Each chunk stands at its running number, modulo the size.
    fileprivate let ring: [PacedChunk]
    fileprivate var first: UInt64
    fileprivate let end: UInt64

    package mutating func next() -> PacedChunk? {
        guard first < end else { return nil }
        defer { first += 1 }
        return ring[Int(truncatingIfNeeded: first) & (ring.count - 1)]
    }
}
