import Foundation
import Quantities

/// `index.html`: what failed in a suite and why, and all of its runs. Everything can be read
/// without JavaScript; with it, the runs can be searched, filtered, sorted and regrouped.
package enum SuiteIndex {
    package static func document(for suite: Suite) -> String {
        let groups = RunGroup.files(of: suite)
        var page = HTMLPage(
            headline: words(for: suite), of: "suite", by: suite.program, isGreen: suite.isGreen,
            facts: facts(of: suite, groups),
            main: """
                \(MissingRuns.beforeRuns(of: suite))\
                \(RedRuns.markup(for: groups))\
                \(hints(suite.hints))\
                \(performance(of: suite))\
                \(RunTables.markup(for: groups))\
                \(SlowestRuns.markup(for: suite))\
                \(MissingRuns.leftOut(of: suite))\
                \(OccasionSection.markup(for: suite))\
                \(EvidenceSection.markup(for: suite))
                """)
        page.script = groups.isEmpty ? nil : SuiteScript.text
        return page.text
    }

    private static func facts(of suite: Suite, _ groups: [RunGroup]) -> [(String, String)] {
        let simulated = suite.entries.reduce(TimeSpan.zero) { $0 + $1.duration }
        let counts = [
            ("Red", suite.red), ("Not played", suite.notPlayed.count),
            ("Trapped", suite.trapped.count), ("Left out", suite.leftOut.count),
        ]
        var facts = [("Runs", "\(suite.count)"), ("Green", "\(suite.green)")]
        facts += counts.filter { $0.1 > 0 }.map { ($0.0, "\($0.1)") }
        facts.append(("Scenario files", "\(groups.count)"))
        if let wall = suite.wallSeconds {
            facts.append(("Real time", TimeSpan(nanoseconds: Int64(wall * 1e9)).rounded))
        }
        facts.append(("Time in the runs", simulated.rounded))
        return facts
    }

    /// Returns the way to the page that puts the runs side by side.
    private static func performance(of suite: Suite) -> Markup {
        guard !PerformanceReport(of: suite).isEmpty else { return .nothing }
        return """
            <nav aria-label="Other pages"><ul><li><a href="performance.html">\
            Performance: runs side by side</a></li></ul></nav>

            """
    }

    private static func hints(_ hints: [String]) -> Markup {
        section("Hints", hints.map { "<p>\($0)</p>\n" })
    }

    private static func words(for suite: Suite) -> String {
        guard !suite.isGreen else {
            return suite.green == 1 ? "The run is green" : "All \(suite.green) runs are green"
        }
        if let interruption = suite.interruption {
            let words = interruption.words
            let red = suite.red == 0 ? "" : ", \(suite.red) of them red"
            return words.prefix(1).uppercased() + words.dropFirst() + red
        }
        let red =
            suite.red == 1
            ? "1 of \(suite.count) runs is red" : "\(suite.red) of \(suite.count) runs are red"
        if suite.red == 0, suite.notPlayed.isEmpty, suite.trapped.isEmpty {
            let (unreached, short) = (suite.unreached.count, suite.shortfalls.count)
            let buts = [
                (unreached, unreached == 1 ? "thing was" : "things were", "never reached"),
                (short, short == 1 ? "clause is" : "clauses are", "short of evidence"),
            ]
            let words = buts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1) \($0.2)" }
            return "Every run is green, but " + words.joined(separator: ", and ")
        }
        let missing = [
            (suite.notPlayed.count, "could not be played"), (suite.trapped.count, "runs trapped"),
        ].filter { $0.0 > 0 }.map { "\($0.0) of \(suite.count) \($0.1)" }
        return ((suite.red == 0 ? [] : [red]) + missing).joined(separator: ", ")
    }

    /// Returns a section; nothing if it has no entries.
    static func section(_ title: String, _ entries: [Markup]) -> Markup {
        guard !entries.isEmpty else { return .nothing }
        return """
            <section aria-label="\(title)"><h2>\(title)</h2>
            \(entries)</section>

            """
    }

    /// Returns a folder's name as a relative address, with `#`, `?`, `%` and `:` escaped.
    static func address(of folder: String) -> String {
        let plain = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "/.-_"))
        return folder.addingPercentEncoding(withAllowedCharacters: plain) ?? folder
    }

    /// Returns the words as a link to a run's page, if it has one.
    static func link(to entry: SuiteEntry, _ words: Markup) -> Markup {
        guard entry.isOnDemand != true else { return words }
        return "<a href=\"\(address(of: entry.folder))/report.html\">\(words)</a>"
    }

    static func badge(isGreen: Bool) -> Markup {
        isGreen ? "<span class=\"badge green\">✔</span>" : "<span class=\"badge red\">✘</span>"
    }
}
