import Foundation
import Reports

/// The files about all runs of a suite, beside the folders of the runs.
struct SuiteFolder {
    private let url: URL

    private static let index = "index.html"
    static let summary = "summary.json"

    init(creating url: URL) throws(RunFailure) {
        self.url = url
        try url.createFolder()
    }

    /// Removes the files of the last suite, so that nobody takes them for this one's.
    static func removeLast(from url: URL) {
        // Folders with these names are not the suite's, and stay.
        for name in [index, summary] { unlink(url.appending(path: name).path) }
        PerformanceFiles.removeLast(from: url)
        ResultFiles.removeLast(from: url)
    }

    /// Returns the entry of a run in the summary of its suite, in a folder above the run's; `nil`
    /// if there is none.
    static func entry(ofRunIn folder: URL) throws(RunFailure) -> SuiteEntry? {
        let folder = folder.standardizedFileURL
        var above = folder
        while above.pathComponents.count > 1 {
            above = above.deletingLastPathComponent().standardizedFileURL
            let file = above.appending(path: summary)
            guard let data = FileManager.default.contents(atPath: file.path) else { continue }
            let suite: Suite
            do { suite = try SuiteJSON.suite(from: data) } catch {
                throw RunFailure(
                    JSONMistake(error, in: data), in: file.relativePath,
                    "is not a suite's summary", remedy: "play the suite again")
            }
            let name = folder.pathComponents.dropFirst(above.pathComponents.count)
                .joined(separator: "/")
            if let entry = suite.entries.first(where: { $0.folder == name }) { return entry }
        }
        return nil
    }

    /// Returns the way from the page of a run to the suite's page.
    static func wayUp(from folder: String) -> String {
        String(repeating: "../", count: folder.split(separator: "/").count) + index
    }

    static func hasIndex(at url: URL) -> Bool {
        var isFolder: ObjCBool = false
        let page = url.appending(path: index).path
        return FileManager.default.fileExists(atPath: page, isDirectory: &isFolder)
            && !isFolder.boolValue
    }

    /// Writes each file whole or not at all, even if the disk is full or the program is killed.
    func write(
        _ suite: Suite, _ report: TestReport, began: Date
    ) throws(RunFailure) {
        try SuiteJSON.data(for: suite).write(into: url, as: Self.summary, options: .atomic)
        let performance = PerformanceReport(of: suite)
        if !performance.isEmpty { try PerformanceFiles.write(performance, into: url) }
        try Data(SuiteIndex.document(for: suite).utf8).write(
            into: url, as: Self.index, options: .atomic)
        try ResultFiles.write(report, began: began, into: url)
    }
}
