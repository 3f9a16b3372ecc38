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
        var read = try ScenarioFiles.read([folder]).map(\.path)
        // The cases of a matrix stand in one file.
        for index in read.indices.dropFirst().reversed() where read[index] == read[index - 1] {
            read.remove(at: index)
        }
        #expect(read == HouseScenarios.paths.map { HouseScenarios.root.path + "/" + $0 })
        #expect(read.count >= 4)
    }

    @Test(arguments: HouseScenarios.paths)
    func `every scenario is green, and comes to rest before its limit`(path: String) throws {
        for scenario in try HouseScenarios.cases(path) {
            let model = try SimulatedRun(scenario).play(into: nil)
            #expect(
                model.judgement.isGreen,
                "\(model.judgement.sentence); reproduce with: \(model.beginning.command)")
            #expect(
                model.ending == .quiet,
                "it does not come to rest; reproduce with: \(model.beginning.command)")
        }
    }
}
