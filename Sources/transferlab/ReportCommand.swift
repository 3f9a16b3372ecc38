import Runs

/// `report`: make the report of a recorded server, even if it was killed or is still running.
enum ReportCommand {
    static let command = Command(
        name: "report", summary: "make the report of a server recorded by serve --record",
        help: """
            usage: ./lab report DIR

            DIR is a folder of serve --record. The command makes report.html and run.json from its
            log and its capture, even if the server was killed or is still running.

            Exit codes: 0 the report is written, 2 it could not be written.

            Example: ./lab report /tmp/recording
            """,
        run: run)

    private static func run(_ words: [String]) throws -> ExitCode {
        let arguments = try Arguments(words, of: command)
        guard let path = arguments.paths.first, arguments.paths.count == 1 else {
            throw UsageError("report needs the folder of one recording", of: command)
        }
        print(try LeftRecording.report(in: path))
        return .allHeld
    }
}
