import Runs

/// `report`: what a recorded server leaves in the end, made before it or without it.
enum ReportCommand {
    static let command = Command(
        name: "report", summary: "make the report of a server that serve --record records",
        help: """
            usage: ./lab report DIR

            DIR is a folder that serve --record has made. Its log and its capture are whole up to
            now, or up to the moment when the server was killed; report.html and run.json are made
            of them, as the server does when it is ended in order.

            Exit codes: 0 the report is written, 2 it could not be.

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
