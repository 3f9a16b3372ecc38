/// `index.html`: the runs of a suite, red runs first, each with a link to its report.
package enum SuiteIndex {
    package static func document(for suite: Suite) -> String {
        let state: Markup = suite.isGreen ? "green" : "red"
        let word = suite.isGreen ? "✔ Green" : "✘ Red"
        let red = suite.entries.filter { !$0.judgement.isGreen }
        let green = suite.entries.filter(\.judgement.isGreen)
        let page = HTMLPage(
            title: "\(suite.isGreen ? "✔" : "✘") \(words(for: suite)) · TransferLab",
            body: """
                <header class="headline \(state)">
                <p class="eyebrow">TransferLab · suite</p>
                <h1>\(words(for: suite))</h1>
                <p class="judgement"><span class="badge \(state)">\(word)</span></p>
                </header>
                <main>\(list("Not played", suite.notPlayed, badge: Self.cross))\
                \(occasions(suite.unreached))\
                \(table("Red", red))\(table("Green", green))\
                \(suite.entries.isEmpty ? .nothing : note)\
                \(hints(suite.hints))\(list("Left out", suite.leftOut))</main>
                """,
            charts: nil)
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
        if suite.red == 0, suite.notPlayed.isEmpty {
            let count = suite.unreached.count
            return "Every run is green, but \(count) "
                + (count == 1 ? "thing was" : "things were") + " never reached"
        }
        guard !suite.notPlayed.isEmpty else { return red }
        let missing = "\(suite.notPlayed.count) of \(suite.count) could not be played"
        return suite.red == 0 ? missing : "\(red), \(missing)"
    }

    private static func occasions(_ unreached: [Occasion]) -> Markup {
        guard !unreached.isEmpty else { return .nothing }
        return """
            <section aria-label="Never reached"><h2>Never reached</h2>
            \(unreached.map { occasion in
                """
                <p>\(cross)\(occasion.words)</p>
                <p class="why">\(occasion.place) · one run of the suite has to reach it</p>

                """ as Markup
            })</section>

            """
    }

    private static func hints(_ hints: [String]) -> Markup {
        guard !hints.isEmpty else { return .nothing }
        return """
            <section aria-label="Hints"><h2>Hints</h2>
            \(hints.map { "<p>\($0)</p>\n" as Markup })</section>

            """
    }

    private static func list(
        _ title: String, _ runs: [UnplayedRun], badge: Markup = .nothing
    ) -> Markup {
        guard !runs.isEmpty else { return .nothing }
        return """
            <section aria-label="\(title)"><h2>\(title)</h2>
            \(runs.map { run in
                """
                <p>\(badge)\(run.scenario)</p>
                <p class="why">\(run.path) · \(run.reason)</p>

                """ as Markup
            })</section>

            """
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
    private static func address(of folder: String) -> String {
        var address = ""
        for byte in folder.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
                UInt8(ascii: "-"), UInt8(ascii: "_"):
                address.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                address += "%" + String(repeating: "0", count: 2 - digits.count) + digits
            }
        }
        return address
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
