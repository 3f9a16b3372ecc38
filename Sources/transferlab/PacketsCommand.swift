import Runs

/// `packets`: what tshark says of a run's captures, and where the log knows better.
enum PacketsCommand {
    static let command = Command(
        name: "packets", summary: "hold tshark's reading of a capture against the run's log",
        help: """
            usage: ./lab packets RUN

            RUN is the folder of a simulated run that was played with --packets. tshark reads its
            captures and guesses what was sent again, overtaken, or acknowledged twice; the log
            knows. Shown are the counts of both, and each frame about which they differ, with the
            reason if the log confirms one. The run is played again for it.

            Exit codes: 0 they agree, or every difference has a reason, 1 one has none,
            2 could not compare.

            Example: ./lab packets Reports/latest/Scenarios/queue/first-upload-with-loss
            """,
        run: run)

    private static func run(_ words: [String]) throws -> ExitCode {
        let arguments = try Arguments(words, of: command)
        guard let path = arguments.paths.first, arguments.paths.count == 1 else {
            throw UsageError("packets needs one run", of: command)
        }
        let explanation = try CaptureExplanation(of: path)
        print(explanation.text)
        return explanation.isExplained ? .allHeld : .fellShort
    }
}
