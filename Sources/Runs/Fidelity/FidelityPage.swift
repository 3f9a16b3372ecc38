import Foundation

/// The part of `Reports/README.md` that shows the grid; the rest of the page is nobody's business
/// here.
package struct FidelityPage: Sendable {
    package static let begin = "<!-- fidelity: begin, written by ./lab fidelity --renew -->"
    package static let end = "<!-- fidelity: end -->"

    private let path: String

    package init(reports: String) { path = reports + "/README.md" }

    /// Puts the table into the page, in the place of the one before it.
    package func renew(_ report: FidelityReport) throws(RunFailure) {
        let page: String
        do {
            page = try String(contentsOfFile: path, encoding: .utf8)
        } catch {
            throw RunFailure("cannot read \(path): \(error.systemReason)")
        }
        guard let renewed = Self.renewed(page, report) else {
            throw RunFailure(
                "\(path) has no lines “\(Self.begin)” and “\(Self.end)” around the table; put "
                    + "them back"
            )
        }
        do {
            try Data(renewed.utf8).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw RunFailure("cannot write \(path): \(error.systemReason)")
        }
    }

    /// The page with this table in it; `nil` where it has no place for one.
    package static func renewed(_ page: String, _ report: FidelityReport) -> String? {
        guard let start = page.range(of: begin),
            let stop = page.range(of: end, range: start.upperBound..<page.endIndex)
        else { return nil }
        let text = "\n\n\(report.table)\n\n\(report.summary.joined(separator: "\n"))\n\n"
        return page.replacingCharacters(in: start.upperBound..<stop.lowerBound, with: text)
    }
}
