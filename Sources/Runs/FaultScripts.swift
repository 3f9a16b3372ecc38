package import DocrootServer
import Foundation
import Scenario

/// Scripts of faults, in files of their own.
package enum FaultScripts {
    /// By this end of its name a file is known among scenarios.
    package static let ending = ".faults.yaml"

    package static func read(_ path: String) throws(RunFailure) -> FaultScript {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw RunFailure("cannot read the faults in \(path)")
        }
        do throws(ScenarioError) {
            return FaultScript(try FaultFile.read([UInt8](data), path: path))
        } catch {
            throw RunFailure(error.description)
        }
    }
}
