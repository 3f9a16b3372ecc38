import Facts
import Foundation
import Reports
import Scenario

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

/// A run whose folder was not kept.
private struct UnkeptRun {
    private let entry: SuiteEntry
    private let folder: URL

    /// Looks for the run's entry in the summary of its suite, in a folder above the run's; `nil` if
    /// there is none.
    init?(folder: URL) throws(RunFailure) {
        guard let entry = try SuiteFolder.entry(ofRunIn: folder) else { return nil }
        self.entry = entry
        self.folder = folder
    }

    /// Plays the run again, and writes its files into its folder.
    func play() throws(RunFailure) {
        guard entry.world == .simulated else {
            throw RunFailure(
                "\(entry.scenario) was a live run, which cannot be played again event by event; "
                    + "play its scenario again with: \(entry.command)")
        }
        let found = try ScenarioFiles.read([entry.path]).first { $0.variant == entry.variant }
        guard let scenario = found else {
            throw RunFailure(
                "\(entry.path) no longer has the case “\(entry.variant ?? "")”; play the suite "
                    + "again")
        }
        let kept = try RunFolder(creating: folder, named: entry.folder)
        let model = try SimulatedRun(scenario, seed: entry.seed, ties: entry.ties).play(into: kept)
        guard model.digest == entry.digest else {
            RunFolder.removeFiles(of: folder)
            throw RunFailure(
                "\(entry.path) or TransferLab has changed since: the digest was \(entry.digest), "
                    + "and is now \(model.digest); play the suite again")
        }
    }
}
