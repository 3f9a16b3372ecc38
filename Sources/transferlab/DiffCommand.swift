import Reports
import Runs

/// `diff`: the first event in which two runs differ.
enum DiffCommand {
    static let command = Command(
        name: "diff", summary: "show the first event in which two runs differ",
        operand: .folder, switches: ["--json"],
        help: """
            usage: ./lab diff RUN RUN [--json]

            RUN is a run's folder. Prints the last events that both runs have, and the first
            event that differs. A simulated run and a live run differ in all timing, so for
            such a pair only the order of callbacks and of the server's actions is compared.

              --json  print the comparison as JSON

            Exit codes: 0 the same, 1 different, 2 could not compare.

            Example: ./lab diff Reports/before/Scenarios/queue/first-upload \\
                                Reports/latest/Scenarios/queue/first-upload
            """,
        run: run)

    private static func run(_ arguments: Arguments) throws -> ExitCode {
        let paths = arguments.paths
        try arguments.require(paths.count == 2, "diff needs two runs, not \(paths.count)")
        let comparison = try RunDifference(of: paths[0], with: paths[1])
        if arguments.has("--json") {
            Terminal.show(RunJSON.data(of: "diff", comparison))
        } else {
            Terminal.say(comparison.description)
        }
        return comparison.isEqual ? .allHeld : .fellShort
    }
}
