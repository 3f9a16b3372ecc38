package import Foundation
package import Reports

/// The files about results that build servers read, in a folder of reports.
package enum ResultFiles {
    private static let junit = "junit.xml"
    private static let ctrf = "ctrf.json"
    private static let codeQuality = "gl-code-quality-report.json"

    /// Removes the files of earlier results, so that nobody takes them for new ones.
    package static func removeLast(from folder: URL) {
        for name in [junit, ctrf, codeQuality] { unlink(folder.appending(path: name).path) }
    }

    /// Writes the results of a command that began at `began` and ends now. Unlike all other files,
    /// these have the time by the wall clock.
    package static func write(
        _ report: TestReport, began: Date, into folder: URL
    ) throws(RunFailure) {
        let host = ProcessInfo.processInfo.hostName
        try Data(JUnit.document(for: report, began: began, host: host).utf8)
            .write(into: folder, as: junit, options: .atomic)
        try CTRF.data(for: report, by: .current, began: began, ended: Date())
            .write(into: folder, as: ctrf, options: .atomic)
    }

    static func writeCodeQuality(_ report: TestReport, into folder: URL) throws(RunFailure) {
        try folder.createFolder()
        try CodeQuality.data(for: report).write(into: folder, as: codeQuality, options: .atomic)
    }
}
