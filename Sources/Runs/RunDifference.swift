import Foundation
import Reports
import RunLog

/// A comparison of two runs: they are the same, or differ from one event on.
package struct RunDifference: Encodable, CustomStringConvertible {
    package let isEqual: Bool
    private let runs: [Run]
    /// The first line in which their scenarios differ, if one does.
    private let scenarios: ScenarioDifference?
    /// The trace files that both runs name, with other contents.
    private let traces: [String]
    /// The whole logs, or for two worlds the deeds of each actor.
    private let courses: [ComparedCourse]

    private struct Run: Encodable {
        var path: String
        var world: RunBeginning.World
        var seed: UInt64
        var digest: String
    }

    private struct ScenarioDifference: Encodable {
        var line: Int
        /// `nil` after the end of a scenario.
        var left: String?
        var right: String?
    }

    /// `left` and `right` are folders of runs.
    package init(of left: String, with right: String) throws(RunFailure) {
        let recorded = (try RecordedRun(at: left), try RecordedRun(at: right))
        let logs = (try recorded.0.events(), try recorded.1.events())
        let models = (recorded.0.model, recorded.1.model)
        runs = [(left, models.0), (right, models.1)].map { path, model in
            Run(
                path: path, world: model.beginning.world, seed: model.beginning.seed,
                digest: model.digest)
        }
        let beginnings = [models.0.beginning, models.1.beginning]
        scenarios = Self.difference(of: beginnings.map(\.text))
        let named = beginnings.map { $0.traces ?? [] }
        traces = zip(named[0], named[1]).filter { $0.steps != $1.steps }.map(\.1.path)
        let isOneWorld = runs[0].world == runs[1].world
        courses =
            isOneWorld
            ? [ComparedCourse(logs.0, logs.1, beginnings.map { $0.names ?? RunNames() })]
            : WorldDifference(logs.0, logs.1, of: beginnings).courses
        isEqual =
            courses.allSatisfy(\.isSame) && scenarios == nil && traces.isEmpty
            && runs[0].seed == runs[1].seed
            && (!isOneWorld || runs[0].digest == runs[1].digest)
    }

    package var description: String {
        let key = ["  <  is \(runs[0].path)", "  >  is \(runs[1].path)"]
        let isOneWorld = runs[0].world == runs[1].world
        guard isOneWorld else {
            return (worldWords + courses.flatMap(\.lines) + wordsOnBeginnings + key)
                .joined(separator: "\n")
        }
        let course = courses[0]
        guard course.isSame else {
            let head = "The runs differ from event \(course.common) on."
            return ([head] + wordsOnBeginnings + course.lines + key).joined(separator: "\n")
        }
        guard wordsOnBeginnings.isEmpty else {
            return (wordsOnBeginnings + ["All \(course.common) events are the same."] + key)
                .joined(separator: "\n")
        }
        return isEqual
            ? "The same: \(course.common) events, digest \(runs[0].digest)."
            : "All \(course.common) events are the same, but the digests differ: the files of one "
                + "run have been changed, or different versions of the program played the runs."
    }

    // MARK: Private parts

    private var worldWords: [String] {
        [
            "The runs come from different worlds, \(runs[0].world) and \(runs[1].world): times, "
                + "offsets, packets and connections differ.",
            "Only the order of the apps' callbacks and the order of the server's actions are "
                + "compared.",
        ]
    }

    /// The differences of seeds and scenarios, which cause all others.
    private var wordsOnBeginnings: [String] {
        var lines: [String] = []
        if runs[0].seed != runs[1].seed {
            lines.append("Their seeds differ: \(runs[0].seed) and \(runs[1].seed).")
        }
        if let scenarios {
            lines.append("Their scenarios differ from line \(scenarios.line) on:")
            for (mark, text) in [("<", scenarios.left), (">", scenarios.right)] {
                let words = text.map { "| \($0)" } ?? "(end of the scenario)"
                lines.append("  \(mark) \(scenarios.line)  \(words)")
            }
        }
        return lines + traces.map { "The trace \($0) has changed." }
    }

    private static func difference(of texts: [String]) -> ScenarioDifference? {
        guard texts[0] != texts[1] else { return nil }
        let lines = texts.map { $0.split(separator: "\n", omittingEmptySubsequences: false) }
        let index = zip(lines[0], lines[1]).prefix { $0 == $1 }.count
        let line = { (text: [Substring]) in index < text.count ? String(text[index]) : nil }
        return ScenarioDifference(
            line: index + 1, left: line(lines[0]), right: line(lines[1]))
    }
}
