package import Foundation

/// `performance.json`: every figure of every case, with its change from A to B.
package enum PerformanceJSON {
    private static let format =
        "transferlab-performance/1 (times in nanoseconds, sizes in bytes, rates in bits per second)"

    package static let schema = FileSchema(
        "performance", "performance.json: runs side by side, or two suites", format: format,
        of: Form.self)

    private struct Form: Codable {
        var format: String
        var headline: String
        /// The version that played A; missing for a single suite.
        var before: ProgramVersion?
        var after: ProgramVersion?
        var runs: Int
        var cases: [Case]
    }

    private struct Case: Codable {
        var scenario: String
        var path: String
        var variant: String?
        /// Missing for a single suite.
        var result: PerformanceCase.Result?
        var runsBefore: Int?
        var runsAfter: Int
        var figures: [Figure]
    }

    private struct Figure: Codable {
        var figure: String
        var before: Spread?
        var after: Spread?
        var change: PairedChange?
        var finding: PerformanceCase.Finding?
    }

    package static func data(for report: PerformanceReport) -> Data {
        let form = Form(
            format: format, headline: report.headline, before: report.before, after: report.after,
            runs: report.runs,
            cases: report.cases.map { one in
                Case(
                    scenario: one.scenario, path: one.path, variant: one.variant,
                    result: report.isComparison ? one.result : nil,
                    runsBefore: report.isComparison ? one.before.count : nil,
                    runsAfter: one.after.count,
                    figures: one.figures.map { row in
                        Figure(
                            figure: row.figure.key, before: row.before, after: row.after,
                            change: row.change, finding: row.finding)
                    })
            })
        return RunJSON.file(form)
    }
}
