import Reports
import Runs

/// `replay`: play a run again from its files.
enum ReplayCommand {
    static let command = Command(
        name: "replay", summary: "play an earlier run again, or one process of it from its flight",
        operand: .file, options: [.init("--report", .folder)] + PacketOptions.options,
        switches: ["--flights", "--steps", "--json"],
        help: """
            usage: ./lab replay RUN [--report DIR] [--packets] [--flights] [--json]
                   ./lab replay FILE.flight [--steps] [--json]

            RUN is a run's folder or its run.json. Its scenario is played again with the
            same seed, and the digests are compared: a simulated run must come out the same.

            FILE.flight has the recorded inputs of one process. A live run and run --flights
            write one for each launch, in the folder flights of the run. The replay feeds
            these inputs to a new engine, which must produce the recorded outputs.

              --report DIR  where the report of the second run goes (default:
                            Reports/replay)
            \(PacketOptions.help)
              --flights     record the inputs of each process of the second run
              --steps       print each input of a flight, and the engine's outputs
              --json        print the comparison as JSON

            Exit codes: 0 the same and green, 1 red or different, 2 could not run.

            Example: ./lab replay Reports/latest/Scenarios/queue/first-upload
            """,
        run: run)

    private static func run(_ arguments: Arguments) throws -> ExitCode {
        let path = try arguments.onlyPath("one run, or one flight")
        if FlightReplay.holdsFlight(path) { return try ReplayedFlight.play(path, arguments) }
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
        guard arguments.has("--json") else {
            let suite = try SuiteStage(.lines).play(run, reports: ReportFolder.shown(folder))
            let difference = suite.entries.first.flatMap {
                replay.difference(from: $0.digest, in: runFolder)
            }
            Terminal.say(difference ?? "The same as before: digest \(replay.digest).")
            return difference == nil && suite.isGreen ? .allHeld : .fellShort
        }
        let suite = try run.play()
        try suite.requireWhole()
        let digest = suite.entries.first?.digest
        let isSame = digest == replay.digest
        let summary = Summary(
            run: path, seed: replay.seed, digest: replay.digest, digestNow: digest, isSame: isSame,
            isGreen: suite.isGreen, report: runFolder,
            difference: isSame ? nil : replay.diffCommand(in: runFolder))
        Terminal.show(RunJSON.data(of: "replay", summary))
        return isSame && suite.isGreen ? .allHeld : .fellShort
    }

    private struct Summary: Encodable {
        var run: String
        var seed: UInt64
        /// The digest of the first run, and of the second unless it has trapped.
        var digest: String
        var digestNow: String?
        var isSame: Bool
        var isGreen: Bool
        /// The folder of the second run.
        var report: String
        /// The command that shows the first event that differs.
        var difference: String?
    }
}
