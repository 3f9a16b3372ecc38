import Reports
import Runs

/// `packets`: compare tshark's reading of a run's captures with the log.
enum PacketsCommand {
    static let command = Command(
        name: "packets", summary: "compare tshark's reading of a capture with the run's log",
        operand: .folder, switches: ["--json"],
        help: """
            usage: ./lab packets RUN [--json]

            RUN is the folder of a simulated run that was played with --packets. tshark
            reads its captures and guesses which packets were retransmitted, out of order or
            duplicate acknowledgements; the log knows. The command plays the run again, and
            prints the counts of both and each frame about which they differ, with the
            reason if the log confirms one.

              --json  print the counts and the differences as JSON

            Exit codes: 0 they agree or every difference has a reason, 1 a difference has no
            reason, 2 could not compare.

            Example: ./lab packets Reports/latest/Scenarios/queue/first-upload-with-loss
            """,
        run: run)

    private static func run(_ arguments: Arguments) throws -> ExitCode {
        let explanation = try CaptureExplanation(of: arguments.onlyPath("one run"))
        if arguments.has("--json") {
            Terminal.show(RunJSON.data(of: "packets", explanation))
        } else {
            Terminal.say(explanation.text)
        }
        return explanation.isExplained ? .allHeld : .fellShort
    }
}
