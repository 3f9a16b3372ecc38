package import Foundation
import Reports
import RunLog
package import Scenario

/// An earlier run that can be played again.
package struct Replay {
    package let scenario: Scenario
    package let seed: UInt64
    package let ties: UInt64?
    package let digest: String
    private let path: String
    private let folder: URL

    /// `path` is the run's folder or its `run.json`.
    package init(of path: String) throws(RunFailure) {
        let run = try RecordedRun(at: path)
        let beginning = run.model.beginning
        guard beginning.world != .served else {
            throw RunFailure(
                "\(path) is the recording of a server, whose clients cannot be played again; "
                    + "start the server again with: \(beginning.command)")
        }
        guard beginning.world == .simulated else {
            throw RunFailure(
                "\(path) is a live run and cannot be played again event by event; "
                    + "play its scenario again with: \(beginning.command)")
        }
        self.path = path
        folder = run.folder
        seed = beginning.seed
        ties = beginning.ties
        digest = run.model.digest
        do throws(ScenarioError) {
            scenario = try Scenario.read(
                text: beginning.text, path: beginning.path, parts: beginning.parts ?? [],
                traces: beginning.traces ?? [], variant: beginning.variant)
        } catch {
            throw RunFailure(
                error.diagnostics,
                introduction: "this version cannot play the scenario in \(path)")
        }
    }

    /// Returns the folder of the second run in a suite's folder. It must not overwrite the first
    /// run, with which it is compared.
    package func folderInside(_ suite: URL) throws(RunFailure) -> String {
        let target = suite.appending(path: RunFolder.name(for: scenario))
        guard target.resolvingSymlinksInPath().path != folder.resolvingSymlinksInPath().path else {
            throw RunFailure(
                "the replay would overwrite \(path); choose another folder with "
                    + "--report")
        }
        return target.path
    }

    /// Returns how the second run differs, and how to find the first event that differs; `nil` if
    /// both runs are the same.
    package func difference(from digest: String, in folder: String) -> String? {
        guard digest != self.digest else { return nil }
        return """
            The run has changed: the digest was \(self.digest) and is \(digest) now.
            Either the program or the file has changed, or something is not deterministic.
            The first event that differs: \(diffCommand(in: folder))
            """
    }

    /// Returns the command that shows the first event in which a second run differs.
    package func diffCommand(in folder: String) -> String {
        "./lab diff \(path.shellWord) \(folder.shellWord)"
    }
}
