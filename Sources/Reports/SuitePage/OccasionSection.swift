/// The table of all occasions (`sometimes`): how many runs reached each.
enum OccasionSection {
    static func markup(for suite: Suite) -> Markup {
        let all = suite.entries.flatMap { entry in
            (entry.sometimes ?? []).map { (occasion: $0, entry: entry) }
        }
        let rows = all.gathered(by: \.occasion.place).map { pairs in
            let reached = pairs.filter(\.occasion.isReached)
            return Row(
                occasion: pairs[0].occasion, runs: pairs.count, reached: reached.count,
                first: reached.first?.entry)
        }
        guard !rows.isEmpty else { return .nothing }
        let missing = rows.count { $0.reached == 0 }
        let words =
            missing == 0
            ? "Each of the \(rows.count) was reached."
            : "\(missing) of the \(rows.count) were never reached."
        return """
            <section aria-label="Sometimes"><h2>Sometimes</h2>
            <details><summary>What at least one run must reach. \(words)</summary>
            <div class="scroll"><table class="coverage">
            <thead><tr><th scope="col">What</th><th scope="col">Reached by</th>\
            <th scope="col">First in</th></tr></thead>
            <tbody>\(rows.map(\.markup))</tbody>
            </table></div></details></section>

            """
    }

    private struct Row {
        var occasion: Occasion
        var runs: Int
        var reached: Int
        var first: SuiteEntry?

        var markup: Markup {
            let mark: Markup = reached == 0 ? "\(SuiteIndex.badge(isGreen: false)) " : .nothing
            return """
                <tr><th scope="row">\(mark)\(occasion.words)<p class="why">\(occasion.place)</p>\
                </th><td>\(reached) of \(runs)</td>\
                <td>\(first.map { SuiteIndex.link(to: $0, "\($0.title)") } ?? "none")</td></tr>

                """
        }
    }
}
