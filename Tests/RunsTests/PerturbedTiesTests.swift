import Reports
import RunLog
import Testing

@testable import Runs

/// Events of one moment may come in any order: nothing that a run is judged by hangs on it.
@Suite struct PerturbedTiesTests {
    @Test(arguments: HouseScenarios.paths)
    func `every scenario is green whatever the order of ties`(path: String) throws {
        let scenario = try HouseScenarios.read(path)
        for ties in 1...3 as ClosedRange<UInt64> {
            let model = try SimulatedRun(scenario, ties: ties).play(into: nil)
            #expect(
                model.judgement.isGreen,
                "\(model.judgement.sentence); reproduce with: \(model.beginning.command)")
        }
    }

    @Test func `a run with perturbed ties is another run, and can be had again`() throws {
        let scenario = try HouseScenarios.read("Scenarios/queue/first-upload.yaml")
        let plain = try SimulatedRun(scenario).play(into: nil)
        let perturbed = try SimulatedRun(scenario, ties: 1).play(into: nil)
        let again = try SimulatedRun(scenario, ties: 1).play(into: nil)
        #expect(perturbed.digest == again.digest)
        #expect(perturbed.digest != plain.digest)
        #expect(perturbed.beginning.command.hasSuffix("--perturb-ties 1"))
    }

    @Test func `replay perturbs ties as the first run did`() throws {
        let scenario = try HouseScenarios.readShort("Scenarios/queue/first-upload.yaml")
        let first = try PlayedRun(scenario, ties: 5)
        let replay = try Replay(of: first.path)
        let again = try SimulatedRun(replay.scenario, seed: replay.seed, ties: replay.ties)
            .play(into: nil)
        #expect(again.digest == first.model.digest)
    }
}
