import Foundation
import Scenario

/// The pages of a folder of scenarios whose tables the program writes.
package struct LanguagePages: Sendable {
    private let paths: [String]

    package init(folder: String) {
        paths = ["README.md", "STATEMENTS.md"].map { "\(folder)/\($0)" }
    }

    /// Rewrites the tables on all pages, or on none if a page has no place for them.
    package func renew() throws(RunFailure) {
        let pages = try paths.map { path throws(RunFailure) in try String(readFrom: path) }
        let renewed: [String]
        do {
            renewed = try LanguagePage.renewed(pages)
        } catch {
            throw RunFailure("cannot renew \(paths.joined(separator: " and ")): \(error.message)")
        }
        for (path, text) in zip(paths, renewed) { try Data(text.utf8).replace(path) }
    }
}
