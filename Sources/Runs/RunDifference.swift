import Foundation
import Reports
import RunLog

/// A comparison of two runs: they are the same, or differ from one event on.
package struct RunDifference: CustomStringConvertible {
    package let isEqual: Bool
    package let description: String

    /// The number of common events to show before the difference.
    private static let context = 3

    /// `left` and `right` are folders of runs.
    package init(of left: String, with right: String) throws(RunFailure) {
        let runs = (try RecordedRun(at: left), try RecordedRun(at: right))
        let logs = (try runs.0.events(), try runs.1.events())
        let models = (runs.0.model, runs.1.model)
        let inBeginning = Self.differences(between: models.0.beginning, and: models.1.beginning)
        let key = ["  <  is \(left)", "  >  is \(right)"]
        guard models.0.beginning.world == models.1.beginning.world else {
            let worlds = WorldDifference(
                logs.0, logs.1, of: [models.0.beginning, models.1.beginning])
            isEqual = worlds.isEqual && inBeginning.isEmpty
            description = (worlds.lines + inBeginning + key).joined(separator: "\n")
            return
        }
        let common = zip(logs.0, logs.1).prefix { Self.isSame($0, $1) }.count
        if common == logs.0.count && common == logs.1.count && inBeginning.isEmpty {
            isEqual = models.0.digest == models.1.digest
            description =
                isEqual
                ? "The same: \(common) events, digest \(models.0.digest)."
                : "All \(common) events are the same, but the digests differ: the files of one "
                    + "run have been changed, or different versions of the program played the runs."
            return
        }
        isEqual = false
        var lines = inBeginning
        if common == logs.0.count && common == logs.1.count {
            lines.append("All \(common) events are the same.")
        } else {
            lines.insert("The runs differ from event \(common) on.", at: 0)
            let names = [models.0, models.1].map { $0.beginning.names ?? RunNames() }
            for index in max(0, common - Self.context)..<common {
                lines.append("    \(index)  \(logs.0[index].line(names[0]))")
            }
            for (mark, log, names) in [("<", logs.0, names[0]), (">", logs.1, names[1])] {
                lines.append("  \(mark) \(common)  \(Self.words(log, common, names))")
            }
        }
        description = (lines + key).joined(separator: "\n")
    }

    /// Returns the differences of seeds and scenarios, which cause all others.
    private static func differences(
        between one: RunBeginning, and other: RunBeginning
    ) -> [String] {
        var lines: [String] = []
        if one.seed != other.seed {
            lines.append("Their seeds differ: \(one.seed) and \(other.seed).")
        }
        if one.text != other.text {
            let texts = [one, other].map {
                $0.text.split(separator: "\n", omittingEmptySubsequences: false)
            }
            let index = zip(texts[0], texts[1]).prefix { $0 == $1 }.count
            lines.append("Their scenarios differ from line \(index + 1) on:")
            for (mark, text) in zip(["<", ">"], texts) {
                let line = index < text.count ? "| \(text[index])" : "(end of the scenario)"
                lines.append("  \(mark) \(index + 1)  \(line)")
            }
        }
        return lines
    }

    /// Whether two events are the same. Beginnings always are, because `differences` compares them.
    private static func isSame(_ left: RunEvent, _ right: RunEvent) -> Bool {
        if case (.run(.began), .run(.began)) = (left.fact, right.fact) { return true }
        return left == right
    }

    /// Returns the event in words; a mark stands for all packets since the mark before it.
    private static func words(_ log: [RunEvent], _ index: Int, _ names: RunNames) -> String {
        guard index < log.count else { return "(end of the run)" }
        let line = log[index].line(names)
        guard case .packets = log[index].fact else { return line }
        return line + " (the packets before it differ)"
    }
}
