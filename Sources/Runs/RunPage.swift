import Foundation

/// The page of a run that left none: of a server's recording, or of a run of a suite.
package enum RunPage {
    /// Makes the page, and returns its path.
    package static func make(in path: String) throws(RunFailure) -> String {
        let log = path + "/" + RunFolder.eventsName
        if FileManager.default.fileExists(atPath: log) { return try LeftRecording.report(in: path) }
        guard let run = try UnkeptRun(folder: URL(filePath: path)) else {
            throw RunFailure(
                "there is no \(RunFolder.eventsName) in \(path), and no summary.json above it "
                    + "names it; name the folder of a recording, or of a run")
        }
        try run.play()
        return URL(filePath: path).appending(path: RunFolder.reportName).relativePath
    }
}
