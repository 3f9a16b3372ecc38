import Checks

/// The table of all clauses on the page of a suite: how often its runs decided each, and which run
/// did so most often.
enum EvidenceSection {
    static func markup(for suite: Suite) -> Markup {
        guard suite.entries.contains(where: { $0.evidence != nil }) else { return .nothing }
        let rows = suite.clauseRows
        let missing = rows.count(where: \.isMissing)
        return """
            <section aria-label="Evidence"><h2>Evidence</h2>
            <p class="note">A clause of an invariant is decided in each situation in which a wrong \
            engine would have failed it. \(words(missing, of: rows.count))</p>
            <details><summary>\(rows.count) clauses</summary>
            <div class="scroll"><table class="coverage">
            <thead><tr><th scope="col">Invariant and clause</th><th scope="col">Decided</th>\
            <th scope="col">Most often in</th></tr></thead>
            <tbody>\(rows.map(row))</tbody>
            </table></div></details></section>

            """
    }

    private static func words(_ missing: Int, of count: Int) -> String {
        missing == 0
            ? "Each of the \(count) clauses was decided, or is an exception."
            : "\(missing) of the \(count) clauses were never decided."
    }

    private static func row(_ row: ClauseRow) -> Markup {
        let mark: Markup = row.isMissing ? "\(SuiteIndex.badge(isGreen: false)) " : .nothing
        return """
            <tr><th scope="row">\(mark)\(row.clause.title)\
            <p class="why">\(row.clause.sentence)</p></th>\
            <td>\(row.decided)</td><td>\(place(row))</td></tr>

            """
    }

    private static func place(_ row: ClauseRow) -> Markup {
        guard let most = row.most else {
            return row.exception.map { "never: \($0)" } ?? "never"
        }
        let times = most.evidence?[row.clause] ?? 0
        return """
            <span>\(SuiteIndex.link(to: most, "\(most.title)")) (\(times))</span>
            """
    }
}
