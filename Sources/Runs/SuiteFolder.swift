import Foundation
import Reports

/// Where the files that speak of all runs together go, beside the folders of the runs.
struct SuiteFolder {
    private let url: URL

    init(creating url: URL) throws(RunFailure) {
        self.url = url
        try url.createFolder()
    }

    func write(_ suite: Suite) throws(RunFailure) {
        try SuiteJSON.data(for: suite).write(into: url, as: "summary.json")
        try Data(SuiteIndex.document(for: suite).utf8).write(into: url, as: "index.html")
        try Data(JUnit.document(for: suite).utf8).write(into: url, as: "junit.xml")
    }
}

extension URL {
    /// Makes the folder where there is none yet.
    func createFolder(option: String = "--report") throws(RunFailure) {
        do {
            try FileManager.default.createDirectory(at: self, withIntermediateDirectories: true)
        } catch {
            throw RunFailure(
                "cannot create the folder \(path): \(error.systemReason); choose another folder "
                    + "with \(option)"
            )
        }
    }
}

extension Data {
    func write(
        into folder: URL, as name: String, option: String = "--report"
    ) throws(RunFailure) {
        let file = folder.appending(path: name)
        do { try write(to: file) } catch {
            throw RunFailure(
                "\(file.path) could not be written: \(error.systemReason); "
                    + "choose another folder with \(option)")
        }
    }
}
