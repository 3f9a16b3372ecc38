package import Reports
import Scenario

/// Makes a red random scenario smaller, line by line, as long as the same rule falls in the same
/// way.
///
/// The healing and what the user does after it stay: without them everything would be left undone.
package struct ChanceShrink {
    private var lines: [Substring]
    private let breach: RuleBreach
    private let path: String

    private static let needed = [
        "seed: ", "limit: ", "healing", "to foreground", "charger connected", "low-power mode off",
        "cancel session",
    ]

    package init(_ text: String, path: String, breaking breach: RuleBreach) {
        lines = text.split(separator: "\n")
        self.breach = breach
        self.path = path
    }

    /// Ever smaller pieces are left out, until no single line can be.
    package mutating func shrunk() -> String {
        var size = max(1, lines.count / 4)
        while true {
            let before = lines.count
            var start = 0
            while start < lines.count {
                // Overlapping, as what belongs together begins anywhere.
                if !leavesOut(start..<min(start + size, lines.count)) { start += max(1, size / 2) }
            }
            if size == 1, lines.count == before { break }
            size = max(1, size / 2)
        }
        return Self.text(lines)
    }

    private mutating func leavesOut(_ range: Range<Int>) -> Bool {
        var fewer: [Substring] = []
        for (index, line) in lines.enumerated() where !range.contains(index) || isNeeded(line) {
            fewer.append(line)
        }
        guard fewer.count < lines.count, isRed(fewer) else { return false }
        lines = fewer
        return true
    }

    private func isNeeded(_ line: Substring) -> Bool {
        Self.needed.contains { line.contains($0) }
    }

    /// What is no scenario any more is not red.
    private func isRed(_ lines: [Substring]) -> Bool {
        guard let scenario = try? Scenario.read(text: Self.text(lines), path: path),
            let model = try? SimulatedRun(scenario, countsPackets: false).play(into: nil)
        else { return false }
        return RuleBreach.all(in: model).contains { $0.isLike(breach) }
    }

    private static func text(_ lines: [Substring]) -> String {
        lines.joined(separator: "\n") + "\n"
    }
}

extension RuleBreach {
    /// The same, whatever the numbers in it are.
    fileprivate func isLike(_ other: RuleBreach) -> Bool {
        title == other.title && plain(seen) == plain(other.seen)
    }

    private func plain(_ text: String) -> String { text.filter { !$0.isNumber && $0 != "." } }
}
