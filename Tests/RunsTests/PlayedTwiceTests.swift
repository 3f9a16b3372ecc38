import Reports
import RunLog
import Runs
import Testing

/// A run is a pure function of scenario and seed (S15).
@Suite struct PlayedTwiceTests {
    @Test(arguments: HouseScenarios.paths)
    func `what a run writes is the same, bit for bit, when it is played again`(
        path: String
    ) throws {
        let scenario = try HouseScenarios.read(path)
        let (first, second) = (try PlayedRun(scenario), try PlayedRun(scenario))
        let command = first.model.beginning.command
        #expect(first.model.digest == second.model.digest, "reproduce with: \(command)")
        for name in PlayedRun.fileNames {
            let same = try first.data(of: name) == second.data(of: name)
            #expect(same, "\(name) differs; play twice and compare: \(command)")
        }
    }

    @Test func `writing files changes nothing in the run`() throws {
        let scenario = try HouseScenarios.readShort("Scenarios/queue/first-upload-with-loss.yaml")
        let silent = try SimulatedRun(scenario).play(into: nil)
        #expect(try PlayedRun(scenario).model == silent)
    }
}
