import Content
import Quantities

/// Bytes sent by one end of a connection, for packets that are retransmitted or arrive late.
///
/// Bodies are ranges, so that a terabyte is one entry; their bytes are made on demand.
struct SentStream {
    private var pieces: [Piece] = []
    private var end: UInt64 = 0

    private struct Piece {
        var start: UInt64
        var segment: Segment
    }

    /// Number of pieces at which the older half is forgotten; no window holds as many.
    static let limit = 32_768

    mutating func append(_ segments: [Segment]) {
        for segment in segments where segment.length > .zero {
            join(segment)
            end += segment.length.bytes
        }
    }

    /// Fills the buffer with the bytes at `offset`; returns false if some are no longer known.
    func fill(_ buffer: UnsafeMutableRawBufferPointer, from offset: UInt64) -> Bool {
        guard let first = pieces.first, first.start <= offset,
            offset + UInt64(buffer.count) <= end
        else { return buffer.isEmpty }
        var place = piece(at: offset)
        var filled = 0
        while filled < buffer.count {
            let here = offset + UInt64(filled) - pieces[place].start
            let length = pieces[place].segment.length.bytes
            let count = min(buffer.count - filled, Int(length - here))
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<filled + count])
            switch pieces[place].segment {
            case .bytes(let bytes):
                let stretch = Int(here)..<Int(here) + count
                bytes.withUnsafeBytes {
                    part.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[stretch]))
                }
            case .content(let range):
                DeterministicBytes.fill(
                    part, from: range.offset + ByteCount(here), of: range.version)
            }
            filled += count
            place += 1
        }
        return true
    }

    private mutating func join(_ segment: Segment) {
        if case .content(let next) = segment, case .content(var last)? = pieces.last?.segment,
            last.version == next.version, last.end == next.offset
        {
            last.length += next.length
            pieces[pieces.count - 1].segment = .content(last)
            return
        }
        if pieces.count == Self.limit { pieces.removeFirst(Self.limit / 2) }
        pieces.append(Piece(start: end, segment: segment))
    }

    /// Returns the piece that contains `offset`.
    private func piece(at offset: UInt64) -> Int {
        var low = 0
        var high = pieces.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if pieces[middle].start <= offset { low = middle } else { high = middle }
        }
        return low
    }
}
