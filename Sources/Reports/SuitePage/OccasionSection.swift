/// The table of all occasions (`sometimes`): how many runs reached each.
enum OccasionSection {
    static func markup(for suite: Suite) -> Markup {
        var rows: [Row] = []
        var places: [String: Int] = [:]
        for entry in suite.entries {
            for occasion in entry.sometimes ?? [] {
                let place = places[occasion.place] ?? rows.count
                places[occasion.place] = place
                if place == rows.count { rows.append(Row(occasion: occasion)) }
                rows[place].add(entry, isReached: occasion.isReached)
            }
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
        var runs = 0
        var reached = 0
        var first: SuiteEntry?

        init(occasion: Occasion) { self.occasion = occasion }

        mutating func add(_ entry: SuiteEntry, isReached: Bool) {
            runs += 1
            guard isReached else { return }
            reached += 1
            first = first ?? entry
        }

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
