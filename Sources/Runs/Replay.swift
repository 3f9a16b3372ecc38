import Foundation
import Reports
import RunLog
package import Scenario

/// An earlier run, read back from its folder, ready to be played again.
package struct Replay {
    package let scenario: Scenario
    package let seed: UInt64
    package let digest: String

    /// `path` is the run's folder or its `run.json`.
    package init(of path: String) throws(RunFailure) {
        let model = try RunFolder.model(at: path)
        guard model.beginning.world == .simulated else {
            throw RunFailure(
                "\(path) is a live run and cannot be played again event by event; "
                    + "play its scenario with: \(model.beginning.command)")
        }
        seed = model.beginning.seed
        digest = model.digest
        do throws(ScenarioError) {
            scenario = try Scenario.read(
                text: model.beginning.text, path: model.beginning.path)
        } catch {
            throw RunFailure(
                "the scenario in \(path) is not one that this version can play:\n"
                    + error.description)
        }
    }

    /// In what way the second run is another one; `nil` if it is the same.
    package func difference(from digest: String) -> String? {
        guard digest != self.digest else { return nil }
        return """
            Not the same as before: the digest was \(self.digest) and is \(digest) now.
            Either the program has changed since, or something in it is not deterministic.
            """
    }
}

extension RunFolder {
    /// The model of a run, by the run's folder or its `run.json`.
    static func model(at path: String) throws(RunFailure) -> ReportModel {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw RunFailure("there is no run at \(path); give a run's folder")
        }
        let file = isFolder.boolValue ? path + "/" + modelName : path
        guard let data = FileManager.default.contents(atPath: file) else {
            throw RunFailure("there is no \(modelName) in \(path); give the folder of one run")
        }
        do throws(RunJSON.Unreadable) { return try RunJSON.model(from: data) } catch {
            throw RunFailure("\(file) is not a run: \(error)")
        }
    }
}
