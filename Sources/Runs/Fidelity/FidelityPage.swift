import Foundation

/// The part of `Reports/README.md` that shows the grid.
package struct FidelityPage: Sendable {
    package static let begin = "<!-- fidelity: begin, written by ./lab fidelity --renew -->"
    package static let end = "<!-- fidelity: end -->"
    private static let part = WrittenPart(begin: begin, end: end)

    private let path: String

    package init(reports: String) { path = reports + "/README.md" }

    /// Replaces the page's table.
    package func renew(_ report: FidelityReport) throws(RunFailure) {
        guard let renewed = Self.renewed(try String(readFrom: path), report) else {
            throw Self.part.missing(in: path)
        }
        try Data(renewed.utf8).replace(path)
    }

    /// Returns the page with this table in it; `nil` if it has no place for one.
    package static func renewed(_ page: String, _ report: FidelityReport) -> String? {
        let tables = [report.table, report.furtherTable].filter { !$0.isEmpty }
        let text = """


            \(report.summary.joined(separator: "\n"))

            <details><summary>All cells</summary>

            \(tables.joined(separator: "\n\n"))

            </details>


            """
        return part.replaced(in: page, by: text)
    }
}
