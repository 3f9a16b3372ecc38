import Reports
import Scenario

/// Makes a red random scenario smaller, line by line, as long as the same rule fails in the same
/// way.
///
/// The healing and the user's actions after it stay, because without them no transfer would end.
struct ChanceShrink {
    private var lines: [Substring]
    private let breach: RuleBreach
    private let path: String

    private static let needed = [
        "seed: ", "limit: ", "healing", "to foreground", "charger connected", "low-power mode off",
        "cancel session",
    ]

    init(_ text: String, path: String, breaking breach: RuleBreach) {
        lines = text.split(separator: "\n")
        self.breach = breach
        self.path = path
    }

    /// Leaves out smaller and smaller pieces, until no single line can be left out.
    mutating func shrunk() -> String {
        var size = max(1, lines.count / 4)
        while true {
            let before = lines.count
            var start = 0
            while start < lines.count {
                // Pieces overlap, because related lines begin anywhere.
                if !leavesOut(start..<min(start + size, lines.count)) { start += max(1, size / 2) }
            }
            if size == 1, lines.count == before { break }
            size = max(1, size / 2)
        }
        return Self.text(lines)
    }

    private mutating func leavesOut(_ range: Range<Int>) -> Bool {
        var fewer: [Substring] = []
        for (index, line) in lines.enumerated() {
            let isNeeded = Self.needed.contains { line.contains($0) }
            if isNeeded || !range.contains(index) { fewer.append(line) }
        }
        guard fewer.count < lines.count, isRed(fewer) else { return false }
        lines = fewer
        return true
    }

    /// Whether the lines are a scenario that breaks the rule.
    private func isRed(_ lines: [Substring]) -> Bool {
        guard let scenario = try? Scenario.read(text: Self.text(lines), path: path) else {
            return false
        }
        var run = SimulatedRun(scenario)
        run.countsPackets = false
        // A smaller scenario may trap although the whole one does not.
        let model = try? RunWorkers.product(label: "a smaller scenario of \(path)") {
            [run] () throws(RunFailure) in try run.play(into: nil)
        }
        guard let model else { return false }
        return RuleBreach.all(in: model).contains { $0.isLike(breach) }
    }

    private static func text(_ lines: [Substring]) -> String {
        lines.joined(separator: "\n") + "\n"
    }
}

extension RuleBreach {
    /// Whether both are the same, apart from the numbers in them.
    fileprivate func isLike(_ other: RuleBreach) -> Bool {
        title == other.title && plain(seen) == plain(other.seen)
    }

    private func plain(_ text: String) -> String { text.filter { !$0.isNumber && $0 != "." } }
}
