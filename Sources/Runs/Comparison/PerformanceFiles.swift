package import Foundation
package import Reports

/// The files that put runs side by side: a page, JSON for programs, and a table for a pull request.
package enum PerformanceFiles {
    package static let page = "performance.html"
    private static let json = "performance.json"
    private static let markdown = "performance.md"

    /// Removes the files of earlier results, so that nobody takes them for new ones.
    static func removeLast(from folder: URL) {
        for name in [page, json, markdown] { unlink(folder.appending(path: name).path) }
    }

    package static func write(
        _ report: PerformanceReport, into folder: URL
    ) throws(RunFailure) {
        try folder.createFolder()
        try PerformanceJSON.data(for: report).write(into: folder, as: json, options: .atomic)
        try Data(PerformanceMarkdown.text(for: report).utf8)
            .write(into: folder, as: markdown, options: .atomic)
        try Data(PerformancePage.document(for: report).utf8)
            .write(into: folder, as: page, options: .atomic)
    }
}
