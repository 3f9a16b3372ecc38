import Reports
import Runs

/// `replay`: play a run again from its files.
enum ReplayCommand {
    static let command = Command(
        name: "replay", summary: "play an earlier run again, or one process of it from its flight",
        help: """
            usage: ./lab replay RUN [--report DIR] [--packets] [--flights]
                   ./lab replay FILE.flight [--steps]

            RUN is a run's folder or its run.json. Its scenario is played again with the same seed,
            and the digests are compared: a simulated run must come out the same.

            FILE.flight has the recorded inputs of one process. A live run and run --flights write
            one for each launch, in the folder flights of the run. The replay feeds these inputs to
            a new engine, which must produce the recorded outputs.

              --report DIR  where the report of the second run goes (default: Reports/replay)
            \(PacketOptions.help)
              --flights     record the inputs of each process of the second run
              --steps       print each input of a flight, and the engine's outputs

            Exit codes: 0 the same and green, 1 red or different, 2 could not run.

            Example: ./lab replay Reports/latest/Scenarios/queue/first-upload
            """,
        run: run)

    private static func run(_ words: [String]) throws -> ExitCode {
        let arguments = try Arguments(
            words, of: command, options: ["--report", PacketOptions.snapLength],
            switches: ["--flights", "--steps"], choices: PacketOptions.choices)
        guard let path = arguments.paths.first, arguments.paths.count == 1 else {
            throw UsageError("replay needs one run, or one flight", of: command)
        }
        if FlightReplay.holdsFlight(path) {
            return try FlightReplayCommand.run(path, showingSteps: arguments.has("--steps"))
        }
        guard !arguments.has("--steps") else {
            throw UsageError(
                "--steps works only with a flight, and \(path) is not one", of: command)
        }
        let packets = try PacketOptions.read(arguments, of: command)
        let replay = try Replay(of: path)
        let folder = ReportFolder.url(arguments["--report"], usual: "Reports/replay")
        let runFolder = try replay.folderInside(folder)
        let suite = try SuiteStage(printsJSON: false).play(
            SuiteRun(
                SuiteCase.all(of: [replay.scenario], seeds: [replay.seed]), ties: replay.ties,
                folder: folder, packets: packets,
                recordsFlights: arguments.has("--flights")),
            reports: ReportFolder.shown(folder))
        let difference = suite.entries.first.flatMap {
            replay.difference(from: $0.digest, in: runFolder)
        }
        print(difference ?? "The same as before: digest \(replay.digest).")
        return difference == nil && suite.isGreen ? .allHeld : .fellShort
    }
}
