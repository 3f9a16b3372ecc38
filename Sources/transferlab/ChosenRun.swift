import RunLog
import Runs
import Scenario

/// The one run that a command line names: an earlier run, or a scenario to play.
enum ChosenRun {
    /// The folder of an earlier run, or its `run.json`.
    case earlier(path: String)
    case scenario(Scenario, seed: UInt64?)

    static func read(_ arguments: Arguments) throws -> ChosenRun {
        let path = try arguments.onlyPath("the folder of a run, or a scenario file")
        if RunFolder.holdsRun(path) {
            try arguments.require(
                !arguments.has("--seed") && !arguments.has("--case"),
                "a run has its seed and its case, so it takes no --seed and no --case")
            return .earlier(path: path)
        }
        let scenarios = try ChoiceOptions.read(arguments, in: .simulated).scenarios
        guard scenarios.count == 1 else {
            throw UsageError(
                "\(arguments.command.name) takes one scenario, and \(path) has \(scenarios.count)",
                remedy: "name one file; if it has a matrix, choose one case with --case")
        }
        return .scenario(scenarios[0], seed: try arguments.seed())
    }
}
