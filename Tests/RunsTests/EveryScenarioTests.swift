import Foundation
import Reports
import RunLog
import Runs
import Scenario
import Testing

/// Whatever lies in `Scenarios/` is played: nobody has to list it anywhere.
@Suite struct EveryScenarioTests {
    @Test func `the folder of scenarios is read whole, in the order of the names`() throws {
        let folder = HouseScenarios.root.appending(path: "Scenarios").path
        let read = try ScenarioFiles.read([folder]).map(\.path)
        #expect(read == HouseScenarios.paths.map { HouseScenarios.root.path + "/" + $0 })
        #expect(read.count >= 4)
    }

    @Test(arguments: HouseScenarios.paths)
    func `every scenario is green, and comes to rest before its limit`(path: String) throws {
        let model = try SimulatedRun(HouseScenarios.read(path)).play(into: nil)
        #expect(
            model.judgement.isGreen,
            "\(model.judgement.sentence); reproduce with: \(model.beginning.command)")
        #expect(
            model.ending == .quiet,
            "it does not come to rest; reproduce with: \(model.beginning.command)")
    }
}
