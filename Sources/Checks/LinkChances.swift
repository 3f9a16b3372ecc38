import RunLog

/// The moments at which a link with a trace can send, computed from the link's terms alone.
struct LinkChances: Sendable {
    private let milliseconds: [UInt64]
    private var latest: UInt64 = 0
    private var bytesAtMoment = 0
    /// The first chance with bytes left, counted over all rounds, and its remaining bytes.
    private var chance: UInt64 = 0
    private var left = Self.size

    /// The bytes that one chance can carry.
    private static let size = 1_500

    /// Makes the chances of these terms; `nil` if the link has no trace.
    init?(_ terms: LinkTerms) {
        guard let chances = terms.chances, let last = chances.last, last > 0 else { return nil }
        milliseconds = chances
    }

    /// Whether a packet can have left at a moment, after the earlier packets of that moment.
    /// Besides the chances of the moment itself, earlier chances leave less than one packet's
    /// bytes.
    mutating func suffice(for size: UInt16, at time: UInt64) -> Bool {
        if time != latest { bytesAtMoment = 0 }
        latest = time
        bytesAtMoment += Int(size)
        let chances = count(at: time)
        return chances > 0 && bytesAtMoment < (chances + 1) * Self.size
    }

    /// Returns the earliest end of sending these bytes, after all earlier requests.
    mutating func earliestEnd(of size: UInt16, from begin: UInt64) -> UInt64 {
        skip(to: begin)
        var rest = Int(size)
        while left < rest {
            rest -= left
            advance()
        }
        left -= rest
        let end = moment(of: chance)
        if left == 0 { advance() }
        return end
    }

    private mutating func skip(to begin: UInt64) {
        let perRound = UInt64(milliseconds.count)
        let round = begin / length
        if round > 0, (round - 1) * perRound > chance {
            chance = (round - 1) * perRound
            left = Self.size
        }
        while moment(of: chance) < begin { advance() }
    }

    private mutating func advance() {
        chance += 1
        left = Self.size
    }

    private func moment(of chance: UInt64) -> UInt64 {
        let perRound = UInt64(milliseconds.count)
        return chance / perRound * length
            + milliseconds[Int(chance % perRound)] * 1_000_000
    }

    private var length: UInt64 { milliseconds[milliseconds.count - 1] * 1_000_000 }

    private func count(at time: UInt64) -> Int {
        guard time % 1_000_000 == 0 else { return 0 }
        let length = milliseconds[milliseconds.count - 1]
        let offset = time / 1_000_000 % length
        // The last chance of a round coincides with the start of the next round.
        let inRound = milliseconds.count { $0 == offset }
        let atEnd = offset == 0 && time > 0 ? milliseconds.count { $0 == length } : 0
        return inRound + atEnd
    }
}
