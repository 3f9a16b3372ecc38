import Foundation
import Runs

/// `report`: make the report of a run that has none.
enum ReportCommand {
    static let command = Command(
        name: "report", summary: "make the page of a run, or of a server's recording",
        operand: .folder,
        help: """
            usage: ./lab report DIR

            DIR is the folder of a run that has left no page: the command plays the run
            again, as the summary.json of its suite says, and writes its page, log and
            model. Use it in the folder in which the suite was played.

            DIR may also be a folder of serve --record. The command makes report.html and
            run.json from its log and its capture, even if the server was killed or is still
            running.

            Exit codes: 0 the report is written, 2 it could not be written.

            Examples: ./lab report Reports/latest/Scenarios/queue/first-upload/seed-100
                      ./lab report /tmp/recording
            """,
        run: run)

    private static func run(_ arguments: Arguments) throws -> ExitCode {
        let path = try arguments.onlyPath("the folder of one run")
        Terminal.say(try RunPage.make(in: path))
        return .allHeld
    }
}
