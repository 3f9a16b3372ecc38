package import Quantities

/// The chances of a link to deliver, in mahimahi's format (Netravali et al. 2015): each line is the
/// millisecond of a chance. A chance carries up to 1500 bytes at its moment. The trace repeats
/// after its last chance.
package struct DeliveryTrace: Hashable, Sendable {
    /// The chances in milliseconds, not decreasing; the last is above zero.
    package let chances: [UInt64]

    /// The bytes of a chance.
    package static let chanceSize = 1_500

    /// Makes a trace; `nil` if it is empty, decreases, or ends at 0 and so could not repeat.
    package init?(_ chances: [UInt64]) {
        guard let last = chances.last, last > 0, last < 1 << 32,
            zip(chances, chances.dropFirst()).allSatisfy({ $0 <= $1 })
        else { return nil }
        self.chances = chances
    }

    /// Reads a file's text; `nil` unless it is in canonical form.
    package init?(text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.last == "" else { return nil }
        let chances = lines.dropLast().compactMap { UInt64($0) }
        self.init(chances)
        guard self.text == text else { return nil }
    }

    /// The text of the file.
    package var text: String { chances.map { "\($0)\n" }.joined() }

    /// The mean rate, rounded down.
    package var meanRate: Bitrate {
        let bits = UInt64(chances.count * Self.chanceSize * 8)
        return Bitrate(bitsPerSecond: max(1, bits * 1_000 / (chances.last ?? 1)))
    }

    /// A link's position in the trace.
    struct Position: Sendable {
        var round: UInt64 = 0
        var index = 0
        /// The bytes left of the current chance.
        var left = DeliveryTrace.chanceSize
    }

    /// Returns the end of sending these bytes from a moment on. The moment must not be before that
    /// of the previous call.
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
            // All chances of earlier rounds come before this round begins.
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

    /// The length of a round.
    private var length: UInt64 { chances[chances.count - 1] * 1_000_000 }
}
