package import Foundation
import Scenario

/// A comparison of a live run with the same run simulated, in a folder beside its files.
package struct WorldComparison {
    package let difference: RunDifference

    static let folderName = "simulated"
    static let fileName = "comparison.txt"

    /// Compares a live run, in this folder, with its simulation, and writes the result there, too.
    package init(of live: URL) throws(RunFailure) {
        let simulated = live.appending(path: Self.folderName)
        difference = try RunDifference(of: simulated.relativePath, with: live.relativePath)
        try Data((difference.description + "\n").utf8).write(into: live, as: Self.fileName)
    }

    static func simulate(_ run: SuiteCase, beside live: URL) throws(RunFailure) {
        let folder = try RunFolder(creating: live.appending(path: folderName))
        _ = try SimulatedRun(run.scenario, seed: run.seed).play(into: folder)
    }
}
