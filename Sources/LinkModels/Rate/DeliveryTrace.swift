package import Quantities

/// When a link could send, as mahimahi records it (Netravali et al. 2015): one line a chance, with
/// its millisecond; each is good for 1500 bytes, and what is not used then is lost.
///
/// After its last chance the trace begins again, that much later.
package struct DeliveryTrace: Hashable, Sendable {
    /// Milliseconds, never falling; the last is above zero.
    package let chances: [UInt64]

    /// What a chance is good for.
    package static let chanceSize = 1_500

    /// `nil` if there is no chance, if they fall, or if the last is at 0: it could not begin again.
    package init?(_ chances: [UInt64]) {
        guard let last = chances.last, last > 0, last < 1 << 32,
            zip(chances, chances.dropFirst()).allSatisfy({ $0 <= $1 })
        else { return nil }
        self.chances = chances
    }

    /// From a file's text; `nil` unless it is what would be written.
    package init?(text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.last == "" else { return nil }
        let chances = lines.dropLast().compactMap { UInt64($0) }
        self.init(chances)
        guard self.text == text else { return nil }
    }

    /// The file, byte for byte.
    package var text: String { chances.map { "\($0)\n" }.joined() }

    /// What it carries on average, rounded down.
    package var meanRate: Bitrate {
        let bits = UInt64(chances.count * Self.chanceSize * 8)
        return Bitrate(bitsPerSecond: max(1, bits * 1_000 / (chances.last ?? 1)))
    }

    /// Where in the trace a link is.
    struct Position: Sendable {
        var round: UInt64 = 0
        var index = 0
        /// What is left of the chance there.
        var left = DeliveryTrace.chanceSize
    }

    /// When so many bytes are through, if their sending begins at a moment, no earlier than the
    /// one before it.
    func end(of size: Int, from begin: UInt64, _ position: inout Position) -> UInt64 {
        skip(to: begin, &position)
        var rest = size
        while position.left < rest {
            rest -= position.left
            advance(&position)
        }
        position.left -= rest
        let end = moment(of: position)
        if position.left == 0 { advance(&position) }
        return end
    }

    private func skip(to begin: UInt64, _ position: inout Position) {
        if moment(of: position) + length < begin {
            // Every chance of the rounds before comes before this one begins, and that before it.
            position = Position(round: (begin - 1) / length, index: 0)
        }
        while moment(of: position) < begin { advance(&position) }
    }

    private func advance(_ position: inout Position) {
        position.left = Self.chanceSize
        position.index += 1
        guard position.index == chances.count else { return }
        position.index = 0
        position.round += 1
    }

    private func moment(of position: Position) -> UInt64 {
        position.round * length + chances[position.index] * 1_000_000
    }

    /// How long a round is.
    private var length: UInt64 { chances[chances.count - 1] * 1_000_000 }
}
