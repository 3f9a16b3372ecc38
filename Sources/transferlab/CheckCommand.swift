import Runs
import Scenario

/// `check`: read scenarios and say whether they can be played, without playing them.
enum CheckCommand {
    static let command = Command(
        name: "check", summary: "read scenario files and point out every mistake",
        help: """
            usage: ./lab check PATH…

            PATH is a scenario file or a folder of them. Nothing is played.

            Exit codes: 0 all can be played, 2 one has mistakes.

            Example: ./lab check Scenarios
            """,
        run: run)

    private static func run(_ words: [String]) throws -> ExitCode {
        let arguments = try Arguments(words, of: command)
        guard !arguments.paths.isEmpty else {
            throw UsageError("check needs a scenario file or a folder", of: command)
        }
        let scenarios = try ScenarioFiles.read(arguments.paths)
        for scenario in scenarios { print("\(scenario.path): “\(scenario.name)” can be played") }
        return .allHeld
    }
}
