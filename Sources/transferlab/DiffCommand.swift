import Runs

/// `diff`: the first event in which two runs differ.
enum DiffCommand {
    static let command = Command(
        name: "diff", summary: "show the first event in which two runs differ",
        help: """
            usage: ./lab diff RUN RUN

            RUN is a run's folder. Shown are the last events that both have, and the first that
            differs. Of a simulated run and a live one, which differ in all that hangs on time,
            compared is the order of what apps were told and the server did.

            Exit codes: 0 the same, 1 different, 2 could not compare.

            Example: ./lab diff Reports/before/Scenarios/queue/first-upload \\
                                Reports/latest/Scenarios/queue/first-upload
            """,
        run: run)

    private static func run(_ words: [String]) throws -> ExitCode {
        let arguments = try Arguments(words, of: command)
        guard arguments.paths.count == 2 else {
            throw UsageError("diff needs two runs, not \(arguments.paths.count)", of: command)
        }
        let comparison = try RunDifference(of: arguments.paths[0], with: arguments.paths[1])
        print(comparison.description)
        return comparison.isEqual ? .allHeld : .fellShort
    }
}
