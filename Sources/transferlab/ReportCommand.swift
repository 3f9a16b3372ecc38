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

    private static func run(_ arguments: Arguments) throws -> ExitCode {
        print(try LeftRecording.report(in: arguments.onlyPath("the folder of one recording")))
        return .allHeld
    }
}
