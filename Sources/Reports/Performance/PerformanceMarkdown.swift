/// `performance.md`: a table for a pull request, the worst cases first.
package enum PerformanceMarkdown {
    private static let rowLimit = 50

    package static func text(for report: PerformanceReport) -> String {
        let rows = report.isComparison ? report.cases.filter { !$0.isSame } : report.cases
        var lines = ["**\(MarkdownText.plain(report.headline))**"]
        if !rows.isEmpty {
            lines += [""] + (report.isComparison ? comparison(rows) : figures(rows))
        }
        let left = rows.count - min(rows.count, rowLimit)
        if left > 0 {
            let cases = left == 1 ? "1 more case is" : "\(left) more cases are"
            lines += ["", "\(cases) in performance.json."]
        }
        let same = report.cases.count - rows.count
        if same > 0 {
            let cases = same == 1 ? "1 case is" : "\(same) cases are"
            lines += ["", "\(cases) without any difference, and not listed."]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func comparison(_ rows: [PerformanceCase]) -> [String] {
        ["| Case | Completed in A | in B | Change | Finding |", "|---|---|---|---|---|"]
            + rows.prefix(rowLimit).map { one in
                let row = one.row(of: .completion)
                let others = one.figures.filter { $0.figure != .completion }.compactMap { row in
                    row.finding.flatMap { finding -> String? in
                        finding == .same
                            ? nil : "\(row.figure.title.lowercased()) \(finding.rawValue)"
                    }
                }
                return line([
                    one.scenario, PerformanceTables.words(row?.before, of: .completion),
                    PerformanceTables.words(row?.after, of: .completion),
                    row?.change.map(PerformanceFigure.completion.words) ?? "–",
                    ([one.result.rawValue] + others).joined(separator: ", "),
                ])
            }
    }

    private static func figures(_ rows: [PerformanceCase]) -> [String] {
        let figures: [PerformanceFigure] = [.completion, .goodput, .sentAgain]
        return ["| Case | Runs | Completed in | Goodput | Sent again |", "|---|---|---|---|---|"]
            + rows.prefix(rowLimit).map { one in
                line(
                    [one.scenario, "\(one.after.count)"]
                        + figures.map { PerformanceTables.words(one.row(of: $0)?.after, of: $0) })
            }
    }

    private static func line(_ cells: [String]) -> String {
        "| " + cells.map(MarkdownText.plain).joined(separator: " | ") + " |"
    }
}
