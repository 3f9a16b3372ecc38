import Foundation

/// The part of `Reports/README.md` that shows what gets through over lossy lines.
package struct GoodputPage: Sendable {
    package static let begin = "<!-- goodput: begin, written by ./lab goodput --renew -->"
    package static let end = "<!-- goodput: end -->"

    private let path: String

    package init(reports: String) { path = reports + "/README.md" }

    /// The table as it stands on the page.
    package func table() throws(RunFailure) -> String { try parts().table }

    /// Replaces the table.
    package func renew(_ grid: GoodputGrid) throws(RunFailure) {
        let parts = try parts()
        let text = "\n\n\(grid.summary)\n\n\(grid.table)\n\n"
        try Data((parts.before + text + parts.after).utf8).replace(path)
    }

    private func parts() throws(RunFailure) -> (before: String, table: String, after: String) {
        let page = try String(readFrom: path)
        guard let start = page.range(of: Self.begin),
            let stop = page.range(of: Self.end, range: start.upperBound..<page.endIndex)
        else {
            throw RunFailure(
                "\(path) has no lines “\(Self.begin)” and “\(Self.end)” around the table; put "
                    + "them back")
        }
        return (
            String(page[..<start.upperBound]), String(page[start.upperBound..<stop.lowerBound]),
            String(page[stop.lowerBound...])
        )
    }
}
