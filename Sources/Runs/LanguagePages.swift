import Foundation
import Scenario

/// The pages of a folder of scenarios whose tables the program writes.
package struct LanguagePages: Sendable {
    private let paths: [String]

    package init(folder: String) {
        paths = ["README.md", "STATEMENTS.md"].map { "\(folder)/\($0)" }
    }

    /// Writes the tables anew, on all pages or, where one has no place for them, on none.
    package func renew() throws(RunFailure) {
        var pages: [String] = []
        for path in paths {
            do {
                pages.append(try String(contentsOfFile: path, encoding: .utf8))
            } catch {
                throw RunFailure("cannot read \(path): \(error.systemReason)")
            }
        }
        let renewed: [String]
        do {
            renewed = try LanguagePage.renewed(pages)
        } catch {
            throw RunFailure("cannot renew \(paths.joined(separator: " and ")): \(error.message)")
        }
        for (path, text) in zip(paths, renewed) {
            do {
                try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
            } catch {
                throw RunFailure("cannot write \(path): \(error.systemReason)")
            }
        }
    }
}
