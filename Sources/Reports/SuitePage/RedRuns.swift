/// The red runs of a suite by the rule that failed, the most frequent one first.
enum RedRuns {
    static func markup(for groups: [RunGroup]) -> Markup {
        let red = groups.flatMap(\.entries).filter { !$0.judgement.isGreen }
        let failures = red.gathered(by: title)
        // Rules that failed equally often stay in the order of the runs.
        let sorted = failures.enumerated().sorted {
            ($1.element.count, $0.offset) < ($0.element.count, $1.offset)
        }
        guard !sorted.isEmpty else { return .nothing }
        let details = sorted.enumerated().map { markup(of: $1.element, number: $0 + 1) }
        return SuiteIndex.section("Red", [overview(of: sorted.map(\.element))] + details)
    }

    /// The number of red files that the first screen has room for.
    private static let most = 12

    /// Returns a line for each red file, if there are several, so that the first screen tells all
    /// causes.
    private static func overview(of failures: [[SuiteEntry]]) -> Markup {
        let files = failures.enumerated().flatMap { place, entries in
            entries.gathered(by: \.path).map { (number: place + 1, entries: $0) }
        }
        guard files.count > 1 else { return .nothing }
        let lines = files.prefix(most).map { number, entries -> Markup in
            let breach = entries[0].breaches.first
            let cause = breach?.because?.last ?? breach?.seen ?? entries[0].judgement.sentence
            return """
                <li><a href="#failure-\(number)">\(breach?.rule ?? "no verdict")</a>, \
                \(count(of: entries)): \(entries[0].title): \(cause)</li>

                """
        }
        let rest = files.count - lines.count
        let more: Markup = rest > 0 ? "<li>and \(rest) more below</li>" : .nothing
        return "<ol class=\"failures\">\(lines)\(more)</ol>"
    }

    private static func count(of entries: [SuiteEntry]) -> String {
        entries.count == 1 ? "1 run" : "\(entries.count) runs"
    }

    private static func title(of entry: SuiteEntry) -> String {
        entry.breaches.first?.title ?? entry.judgement.sentence
    }

    /// Returns the runs that failed the same rule, by file.
    private static func markup(of failure: [SuiteEntry], number: Int) -> Markup {
        """
        <div class="failure" id="failure-\(number)"><h3>\(title(of: failure[0])) \
        <span class="count">\(count(of: failure))</span></h3>
        \(failure.gathered(by: \.path).map(file))</div>

        """
    }

    /// Returns the first red run of a file in words, and the others as dots.
    private static func file(_ entries: [SuiteEntry]) -> Markup {
        let rest = Array(entries.dropFirst())
        let others: Markup =
            rest.isEmpty
            ? .nothing
            : """
            <p class="why">\(rest.count) more of this file:</p>
            \(DotStrip.markup(of: rest))
            """
        return "\(markup(of: entries[0]))\(others)"
    }

    private static func markup(of entry: SuiteEntry) -> Markup {
        let why = entry.about?.why ?? ""
        let purpose: Markup = why.isEmpty ? .nothing : "<p class=\"why\">\(why)</p>\n"
        let hints = (entry.hints ?? []).map { "<p class=\"why\">hint: \($0)</p>\n" as Markup }
        return """
            <div class="fallen"><p>\(SuiteIndex.badge(isGreen: false)) \
            \(SuiteIndex.link(to: entry, "\(entry.title)")), seed \(entry.seed)</p>
            \(purpose)<p class="why">\(entry.breaches.first?.place ?? entry.path)</p>
            \(entry.breaches.first.map(details) ?? .nothing)\
            \(entry.breaches.dropFirst().map(another))\(hints)\
            <p class="again"><code>\(entry.command)</code></p></div>

            """
    }

    private static func details(of breach: RuleBreach) -> Markup {
        """
        <dl class="expected"><div><dt>Expected</dt><dd>\(breach.expected)</dd></div>
        <div><dt>Seen</dt><dd>\(breach.seen)</dd></div>
        <div><dt>At</dt><dd>\(breach.occasion)</dd></div>\(why(breach))</dl>

        """
    }

    private static func why(_ breach: RuleBreach) -> Markup {
        guard let lines = breach.because else { return .nothing }
        return "<div><dt>Why</dt><dd>\(lines.map { "<p>\($0)</p>" as Markup })</dd></div>"
    }

    private static func another(_ breach: RuleBreach) -> Markup {
        """
        <p>also <strong>\(breach.title)</strong>: seen \(breach.seen), at \(breach.occasion)</p>

        """
    }
}

extension SuiteEntry {
    /// The scenario's name, with the case of its matrix.
    var title: String { scenario + (variant.map { " (\($0))" } ?? "") }
}
