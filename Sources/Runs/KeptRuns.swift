import Facts
package import Foundation
import Reports
import RunLog
import Scenario

/// The runs of a suite that leave a folder of their own: page, log and model. Any other run is
/// played again when somebody asks for its page, and is the same run.
package enum KeptRuns: String, CaseIterable, Sendable {
    case all
    /// The red runs, and those with the first seeds of each scenario.
    case few
    case red

    /// The number of seeds whose runs are kept, if few are.
    package static let seeds = 10

    /// Whether a run is kept even if it is green.
    func keeps(_ run: SuiteCase) -> Bool {
        switch self {
        case .all: true
        case .few: run.place < Self.seeds
        case .red: false
        }
    }
}

/// A run whose folder was not kept.
package struct UnkeptRun {
    private let entry: SuiteEntry
    private let folder: URL

    /// Looks for the run's entry in the summary of its suite, in a folder above the run's; `nil` if
    /// there is none.
    package init?(folder: URL) throws(RunFailure) {
        guard let entry = try SuiteFolder.entry(ofRunIn: folder) else { return nil }
        self.entry = entry
        self.folder = folder
    }

    /// Plays the run again, and writes its files into its folder.
    package func play() throws(RunFailure) {
        guard entry.world == .simulated else {
            throw RunFailure("\(entry.scenario) was a live run, and cannot be played again")
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
