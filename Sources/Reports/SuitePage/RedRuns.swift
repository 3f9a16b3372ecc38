/// The red runs of a suite by the rule that failed, the most frequent one first.
enum RedRuns {
    static func markup(for groups: [RunGroup]) -> Markup {
        var failures: [Failure] = []
        var places: [String: Int] = [:]
        for group in groups {
            for entry in group.entries where !entry.judgement.isGreen {
                let title = title(of: entry)
                let place = places[title] ?? failures.count
                places[title] = place
                if place == failures.count { failures.append(Failure(title: title)) }
                failures[place].add(entry)
            }
        }
        // Rules that failed equally often stay in the order of the runs.
        let sorted = failures.enumerated().sorted {
            ($1.element.count, $0.offset) < ($0.element.count, $1.offset)
        }
        return SuiteIndex.section("Red", sorted.map { markup(of: $0.element) })
    }

    /// Runs that failed the same rule, by file.
    private struct Failure {
        var title: String
        var files: [RunGroup] = []

        var count: Int { files.reduce(0) { $0 + $1.entries.count } }

        mutating func add(_ entry: SuiteEntry) {
            if files.last?.path == entry.path {
                files[files.count - 1].entries.append(entry)
            } else {
                files.append(RunGroup(path: entry.path, entries: [entry]))
            }
        }
    }

    private static func title(of entry: SuiteEntry) -> String {
        entry.breaches.first?.title ?? entry.judgement.sentence
    }

    private static func markup(of failure: Failure) -> Markup {
        """
        <div class="failure"><h3>\(failure.title) \
        <span class="count">\(failure.count == 1 ? "1 run" : "\(failure.count) runs")</span></h3>
        \(failure.files.map(markup))</div>

        """
    }

    /// Returns the first red run of a file in words, and the others as dots.
    private static func markup(of file: RunGroup) -> Markup {
        let rest = Array(file.entries.dropFirst())
        let others: Markup =
            rest.isEmpty
            ? .nothing
            : """
            <p class="why">\(rest.count) more of this file:</p>
            \(DotStrip.markup(of: rest))
            """
        return "\(file.entries.prefix(1).map(markup))\(others)"
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
        <div><dt>At</dt><dd>\(breach.occasion)</dd></div></dl>

        """
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
