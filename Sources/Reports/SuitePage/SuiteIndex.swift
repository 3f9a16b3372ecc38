import Foundation

/// `index.html`: the runs of a suite, red runs first, each with a link to its report.
package enum SuiteIndex {
    package static func document(for suite: Suite) -> String {
        let red = suite.entries.filter { !$0.judgement.isGreen }
        let green = suite.entries.filter(\.judgement.isGreen)
        let page = HTMLPage(
            headline: words(for: suite), of: "suite", isGreen: suite.isGreen,
            main: """
                \(list("Not played", suite.notPlayed, badge: cross))\
                \(traps(suite.trapped))\
                \(occasions(suite.unreached))\
                \(shortfalls(suite.shortfalls))\
                \(table("Red", red))\(table("Green", green))\
                \(suite.entries.isEmpty ? .nothing : note)\
                \(section("Hints", suite.hints.map { "<p>\($0)</p>\n" }))\
                \(list("Left out", suite.leftOut))\
                \(EvidenceSection.markup(for: suite))
                """)
        return page.text
    }

    private static let note: Markup = """
        <p class="note">“Completed in” is counted from the first activation of a session to the \
        last completion; “completes within” in a scenario is counted from the run's start.</p>

        """

    private static let cross: Markup = "<span class=\"badge red\">✘</span> "

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
    private static func section(_ title: String, _ entries: [Markup]) -> Markup {
        guard !entries.isEmpty else { return .nothing }
        return """
            <section aria-label="\(title)"><h2>\(title)</h2>
            \(entries)</section>

            """
    }

    private static func entry(_ words: Markup, why: Markup) -> Markup {
        """
        <p>\(words)</p>
        <p class="why">\(why)</p>

        """
    }

    private static func list(
        _ title: String, _ runs: [UnplayedRun], badge: Markup = .nothing
    ) -> Markup {
        section(
            title,
            runs.map { entry("\(badge)\($0.scenario)", why: "\($0.path) · \($0.reason)") })
    }

    private static func traps(_ runs: [TrappedRun]) -> Markup {
        section(
            "Trapped",
            runs.map { run in
                entry(
                    "\(cross)\(run.scenario), seed \(run.seed)",
                    why: "\(run.path) · \(run.reason)")
                    + "<p class=\"why\"><code>\(run.command)</code></p>\n"
            })
    }

    private static func occasions(_ unreached: [Occasion]) -> Markup {
        section(
            "Never reached",
            unreached.map {
                entry(
                    "\(cross)\($0.words)",
                    why: "\($0.place) · at least one run of the suite must reach it")
            })
    }

    private static func shortfalls(_ shortfalls: [EvidenceShortfall]) -> Markup {
        section(
            "Short of evidence",
            shortfalls.map {
                entry("\(cross)\($0.words)", why: "\($0.place) · \($0.remedy)")
            })
    }

    private static func table(_ title: String, _ entries: [SuiteEntry]) -> Markup {
        guard !entries.isEmpty else { return .nothing }
        let columns = ["Run", "Seed", "Completed in", "Goodput", "Sent again", "Dropped", "Length"]
        let headers = columns.enumerated().map { order, name -> Markup in
            order == 0
                ? "<th scope=\"col\">\(name)</th>"
                : "<th scope=\"col\" class=\"number\">\(name)</th>"
        }
        return """
            <section aria-label="\(title)"><h2>\(title)</h2>
            <div class="scroll"><table class="lying suite">
            <thead><tr>\(headers)</tr></thead>
            <tbody>\(entries.map { row(of: $0, columns: columns) })</tbody>
            </table></div></section>

            """
    }

    private static func row(of entry: SuiteEntry, columns: [String]) -> Markup {
        let figures = [
            "\(entry.seed)", entry.completion?.rounded ?? "–", entry.goodput?.rounded ?? "–",
            entry.sentAgain.rounded, "\(entry.dropped)", entry.duration.rounded,
        ]
        let cells = zip(columns.dropFirst(), figures).map { column, figure -> Markup in
            "<td class=\"number\" data-label=\"\(column)\">\(figure)</td>"
        }
        let isGreen = entry.judgement.isGreen
        return """
            <tr><th scope="row"><span class="badge \(isGreen ? "green" : "red" as Markup)">\
            \(isGreen ? "✔" : "✘")</span> <a href="\(address(of: entry.folder))/report.html">\
            \(entry.scenario)</a>\(why(entry))</th>\(cells)</tr>

            """
    }

    /// Returns a folder's name as a relative address, with `#`, `?`, `%` and `:` escaped.
    static func address(of folder: String) -> String {
        let plain = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "/.-_"))
        return folder.addingPercentEncoding(withAllowedCharacters: plain) ?? folder
    }

    private static func why(_ entry: SuiteEntry) -> Markup {
        let hints = (entry.hints ?? []).map { "<p class=\"why\">hint: \($0)</p>" as Markup }
        let path: Markup = """
            <p class="why">\(entry.path) · \(entry.judgement.sentence)</p>\(hints)
            """
        guard !entry.judgement.isGreen else { return path }
        let breaches = entry.breaches.map { breach -> Markup in
            """
            <p class="why"><strong>\(breach.rule)</strong>: expected \(breach.expected), \
            seen \(breach.seen), at \(breach.occasion)</p>
            """
        }
        return "\(path)\(breaches)<p class=\"why\"><code>\(entry.command)</code></p>"
    }
}
