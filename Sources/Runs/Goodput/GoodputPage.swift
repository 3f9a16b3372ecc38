import Foundation

/// The part of `Reports/README.md` that shows what gets through over lossy lines.
package struct GoodputPage: Sendable {
    private static let part = WrittenPart(
        begin: "<!-- goodput: begin, written by ./lab goodput --renew -->",
        end: "<!-- goodput: end -->")

    private let path: String

    package init(reports: String) { path = reports + "/README.md" }

    /// The table as it stands on the page.
    package func table() throws(RunFailure) -> String {
        guard let text = Self.part.text(in: try String(readFrom: path)) else {
            throw Self.part.missing(in: path)
        }
        return String(text)
    }

    /// Replaces the table.
    package func renew(_ grid: GoodputGrid) throws(RunFailure) {
        let page = try String(readFrom: path)
        let text = "\n\n\(grid.summary)\n\n\(grid.table)\n\n"
        guard let renewed = Self.part.replaced(in: page, by: text) else {
            throw Self.part.missing(in: path)
        }
        try Data(renewed.utf8).replace(path)
    }
}
