import Foundation
import Reports

/// Where the files that speak of all runs together go, beside the folders of the runs.
struct SuiteFolder {
    private let url: URL

    private static let index = "index.html"
    private static let summary = "summary.json"
    private static let junit = "junit.xml"

    init(creating url: URL) throws(RunFailure) {
        self.url = url
        try url.createFolder()
    }

    /// Removes what the last suite left, so that nobody takes it for the answer of this one.
    static func removeLast(from url: URL) {
        // Only files: a folder of that name belongs to somebody else.
        for name in [index, summary, junit] { unlink(url.appending(path: name).path) }
    }

    static func hasIndex(at url: URL) -> Bool {
        var isFolder: ObjCBool = false
        let page = url.appending(path: index).path
        return FileManager.default.fileExists(atPath: page, isDirectory: &isFolder)
            && !isFolder.boolValue
    }

    /// Writes the files, and puts each in place by a rename: a full disk or a kill leaves no half.
    func write(_ suite: Suite) throws(RunFailure) {
        try SuiteJSON.data(for: suite).write(into: url, as: Self.summary, options: .atomic)
        try Data(SuiteIndex.document(for: suite).utf8).write(
            into: url, as: Self.index, options: .atomic)
        try Data(JUnit.document(for: suite).utf8).write(into: url, as: Self.junit, options: .atomic)
    }
}
