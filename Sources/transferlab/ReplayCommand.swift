import Recording
import Reports
import Runs

/// `replay`: play a run again from its files.
enum ReplayCommand {
    static let command = Command(
        name: "replay", summary: "play an earlier run again, or one process of it from its flight",
        options: ["--report", PacketOptions.snapLength], switches: ["--flights", "--steps"],
        choices: PacketOptions.choices,
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

    private static func run(_ arguments: Arguments) throws -> ExitCode {
        let path = try arguments.onlyPath("one run, or one flight")
        if FlightReplay.holdsFlight(path) {
            return try playFlight(path, showingSteps: arguments.has("--steps"))
        }
        try arguments.require(
            !arguments.has("--steps"),
            "--steps works only with a flight, and \(path) is not one")
        let packets = try PacketOptions.read(arguments)
        let replay = try Replay(of: path)
        let folder = ReportFolder.url(arguments["--report"], usual: "Reports/replay")
        let runFolder = try replay.folderInside(folder)
        var run = SuiteRun(
            SuiteCase.all(of: [replay.scenario], seeds: [replay.seed]), folder: folder)
        run.ties = replay.ties
        run.packets = packets
        run.recordsFlights = arguments.has("--flights")
        let suite = try SuiteStage(printsJSON: false).play(
            run, reports: ReportFolder.shown(folder))
        let difference = suite.entries.first.flatMap {
            replay.difference(from: $0.digest, in: runFolder)
        }
        print(difference ?? "The same as before: digest \(replay.digest).")
        return difference == nil && suite.isGreen ? .allHeld : .fellShort
    }

    // MARK: Flights

    /// Feeds the recorded inputs of one process to a new engine.
    private static func playFlight(_ path: String, showingSteps: Bool) throws -> ExitCode {
        let outcome = try FlightReplay(of: path).play { step in
            if showingSteps { lines(of: step).forEach { print($0) } }
        }
        let what = outcome.isEngine ? "an app's engine" : "a transfer daemon"
        let inputs = outcome.steps == 1 ? "1 input" : "\(outcome.steps) inputs"
        let end = outcome.isCut ? "; the end is missing, because the process was killed there" : ""
        print("\(inputs) of \(what)\(end).")
        guard let difference = outcome.firstDifference else {
            print("Each input gives the recorded outputs.")
            return .allHeld
        }
        print("From input \(difference.number) on, the outputs differ from the recorded outputs:")
        lines(of: difference).forEach { print($0) }
        return .fellShort
    }

    private static func lines(of step: FlightRecording.Step) -> [String] {
        let wish = step.deadline.map { ["    wakes at \($0)"] } ?? []
        return ["\(step.number)  \(step.at)  \(step.input)"]
            + step.outputs.map { "    \($0)" } + wish
    }
}
