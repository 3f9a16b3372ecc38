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
        ResultFiles.removeLast(from: url)
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
        try Data(SuiteIndex.document(for: suite).utf8).write(
            into: url, as: Self.index, options: .atomic)
        try ResultFiles.write(report, began: began, into: url)
    }
}
