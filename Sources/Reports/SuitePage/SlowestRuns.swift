import Quantities

/// The runs that took the most real time, for a suite that has become slow.
enum SlowestRuns {
    private static let count = 5

    static func markup(for suite: Suite) -> Markup {
        let measured = suite.entries.filter { $0.wallSeconds != nil }
        guard measured.count > count else { return .nothing }
        let total = measured.compactMap(\.wallSeconds).reduce(0, +)
        let slowest = measured.sorted { ($0.wallSeconds ?? 0) > ($1.wallSeconds ?? 0) }
        return """
            <section aria-label="Slowest runs"><h2>Slowest runs</h2>
            <div class="scroll"><table class="slowest">
            <thead><tr><th scope="col">Run</th><th scope="col">Real time</th>\
            <th scope="col">Share of all</th><th scope="col">Time in the run</th></tr></thead>
            <tbody>\(slowest.prefix(count).map { row(of: $0, total: total) })</tbody>
            </table></div></section>

            """
    }

    private static func row(of entry: SuiteEntry, total: Double) -> Markup {
        let wall = entry.wallSeconds ?? 0
        let share = total > 0 ? Int(wall / total * 100 + 0.5) : 0
        return """
            <tr><th scope="row">\(SuiteIndex.link(to: entry, "\(entry.title)")), seed \(entry.seed)\
            </th><td>\(TimeSpan(nanoseconds: Int64(wall * 1e9)).rounded)</td><td>\(share) %</td>\
            <td>\(entry.duration.rounded)</td></tr>

            """
    }
}
