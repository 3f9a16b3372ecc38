import RunLog

/// The moments at which a link that follows a trace could send, worked out from its terms alone.
struct LinkChances: Sendable {
    private let milliseconds: [UInt64]
    private var moment: UInt64 = 0
    private var bytesAtMoment = 0

    /// What one chance is good for.
    private static let size = 1_500

    /// `nil` if the link follows no trace.
    init?(_ terms: LinkTerms) {
        guard let chances = terms.chances, let last = chances.last, last > 0 else { return nil }
        milliseconds = chances
    }

    /// Whether a packet can have left at a moment, after those that left then before it: beside the
    /// chances of the moment itself, less than one packet's rest comes from those before.
    mutating func suffice(for size: UInt16, at time: UInt64) -> Bool {
        if time != moment { bytesAtMoment = 0 }
        moment = time
        bytesAtMoment += Int(size)
        let chances = count(at: time)
        return chances > 0 && bytesAtMoment < (chances + 1) * Self.size
    }

    private func count(at time: UInt64) -> Int {
        guard time % 1_000_000 == 0 else { return 0 }
        let length = milliseconds[milliseconds.count - 1]
        let offset = time / 1_000_000 % length
        // The last chance of a round falls on the beginning of the next.
        let inRound = milliseconds.count { $0 == offset }
        let atEnd = offset == 0 && time > 0 ? milliseconds.count { $0 == length } : 0
        return inRound + atEnd
    }
}
