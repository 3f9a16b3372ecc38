import Quantities
import RunLog

/// The moments at which a link with a trace can send, computed from the link's terms alone.
/// A trace is a stream of bytes, each with its moment: 1500 for each chance, round after round.
struct LinkChances: Sendable {
    private let moments: StepSeries
    private var latest: UInt64 = 0
    private var bytesAtMoment: UInt64 = 0
    private var chancesAtMoment: UInt64 = 0
    /// The first byte of the stream that no packet has taken.
    private var free: UInt64 = 0

    /// The bytes that one chance can carry.
    private static let size: UInt64 = 1_500
    private static let millisecond: UInt64 = 1_000_000

    /// Makes the chances of these terms, which may name one of the run's traces; `nil` if the link
    /// has no trace.
    init?(_ terms: LinkTerms, traces: [IncludedTrace] = []) {
        if let number = terms.trace {
            guard traces.indices.contains(number), traces[number].kind == .chances else {
                return nil
            }
            moments = traces[number].steps
        } else {
            var moments = StepSeries()
            for chance in terms.chances ?? [] {
                guard chance >= moments.length else { return nil }
                moments.append(after: chance - moments.length, 1)
            }
            self.moments = moments
        }
        guard moments.length > 0 else { return nil }
    }

    /// Whether a packet can have left at a moment, after the earlier packets of that moment.
    /// Besides the chances of the moment itself, earlier chances leave less than one packet's
    /// bytes.
    mutating func suffice(for size: UInt16, at time: UInt64) -> Bool {
        if time != latest || bytesAtMoment == 0 {
            bytesAtMoment = 0
            chancesAtMoment =
                count(upTo: time) - (time > 0 ? count(upTo: time - 1) : 0)
        }
        latest = time
        bytesAtMoment += UInt64(size)
        return chancesAtMoment > 0 && bytesAtMoment < (chancesAtMoment + 1) * Self.size
    }

    /// Returns the earliest end of sending a packet, after all packets before it.
    mutating func earliestEnd(ofNext size: UInt16, from begin: UInt64) -> UInt64 {
        free = max(free, bytes(before: begin)) + UInt64(size)
        return moment(ofByte: free - 1)
    }

    /// Returns the earliest end of sending these bytes over an idle link.
    func earliestEnd(of size: UInt64, from begin: UInt64) -> UInt64 {
        moment(ofByte: bytes(before: begin) + size - 1)
    }

    /// Returns the bytes that the link offers from the start to a moment.
    func bytes(upTo time: UInt64) -> UInt64 { count(upTo: time) * Self.size }

    /// Returns the bytes that the link offers from the start to just before a moment.
    func bytes(before time: UInt64) -> UInt64 { time > 0 ? bytes(upTo: time - 1) : 0 }

    /// Returns the number of chances up to a moment.
    private func count(upTo time: UInt64) -> UInt64 {
        let (round, offset) = (time / Self.millisecond)
            .quotientAndRemainder(dividingBy: moments.length)
        let walk = moments.walk(upTo: offset)
        return round * moments.total + walk.before + walk.value
    }

    /// Returns the moment of a byte of the stream.
    private func moment(ofByte byte: UInt64) -> UInt64 {
        let (round, rest) = (byte / Self.size).quotientAndRemainder(dividingBy: moments.total)
        return (round * moments.length + moments.walk(holding: rest).place) * Self.millisecond
    }
}
