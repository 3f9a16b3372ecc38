package import DocrootServer
import Foundation
import Scenario

/// Scripts of faults, in files of their own.
package enum FaultScripts {
    /// The ending of the file's name, which tells it from a scenario.
    package static let ending = ".faults.yaml"

    package static func read(_ path: String) throws(RunFailure) -> FaultScript {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw RunFailure("cannot read the faults in \(path)")
        }
        let rules = try RunFailure.explaining { () throws(ScenarioError) in
            try FaultFile.read([UInt8](data), path: path)
        }
        if let rule = rules.first(where: \.fault.losesPower) {
            throw RunFailure(
                "fault “\(rule.name)” in \(path) takes the server's power, which only a simulated "
                    + "server can lose; let it “restart” instead")
        }
        return FaultScript(rules)
    }
}
