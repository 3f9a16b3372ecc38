import DocrootServer
import Runs
import Scenario

/// `check`: read scenarios, and report their mistakes without playing them.
enum CheckCommand {
    static let command = Command(
        name: "check", summary: "read scenario files and point out every mistake",
        help: """
            usage: ./lab check PATH…

            PATH is a scenario file, a folder of scenarios, or a file of faults for `serve`, whose
            name ends in \(FaultScripts.ending). Nothing is played.

            Exit codes: 0 all files can be played, 2 a file has mistakes.

            Example: ./lab check Scenarios
            """,
        run: run)

    private static func run(_ arguments: Arguments) throws -> ExitCode {
        let paths = try arguments.scenarioPaths()
        let scripts = paths.filter { $0.hasSuffix(FaultScripts.ending) }
        for path in scripts {
            let count = try FaultScripts.read(path).rules.count
            print("\(path): \(count) fault\(count == 1 ? "" : "s") can happen")
        }
        let scenarios = try ScenarioFiles.read(
            paths.filter { !scripts.contains($0) && !ScenarioFiles.isSuite($0) })
        let demands = try ScenarioFiles.demands(of: paths)
        if !demands.sometimes.isEmpty {
            let words = demands.sometimes.map { "“\($0.words)”" }.joined(separator: ", ")
            print("together, the runs must show \(words)")
        }
        if demands.evidence != nil {
            print("together, the runs must decide each clause of the invariants")
        }
        for scenario in scenarios {
            let hint = scenario.reasonHint.map { "; hint: \($0)" } ?? ""
            print("\(scenario.path): “\(scenario.name)” can be played\(hint)")
        }
        return .allHeld
    }
}
