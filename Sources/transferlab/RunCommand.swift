import Foundation
import Quantities
import Reports
import Runs
import Scenario

/// `run`: play scenarios in the virtual world, judge them, and write the reports.
enum RunCommand {
    static let command = Command(
        name: "run", summary: "play scenarios in the virtual world and judge them",
        help: """
            usage: ./lab run PATH… [--seed N] [--perturb-ties N] [--report DIR] [--json] [--digests]
                             [--packets]

            PATH is a scenario file or a folder of them.

              --seed N      play with this seed instead of the scenarios' own
              --perturb-ties N
                            let events of one moment change places, by this seed: what holds, must
                            hold then, too
              --report DIR  where the reports go (default: Reports/latest)
              --json        print the suite's summary as JSON instead of lines
              --digests     print only the folder and the digest of each run, and write reports only
                            where --report says
            \(PacketOptions.help)

            Exit codes: 0 all scenarios are green, 1 one is red, 2 could not run.

            Example: ./lab run Scenarios/queue/first-upload.yaml --seed 3
            """,
        run: run)

    private static func run(_ words: [String]) throws -> ExitCode {
        let arguments = try Arguments(
            words, of: command,
            options: ["--seed", "--perturb-ties", "--report", PacketOptions.snapLength],
            switches: ["--json", "--digests"], choices: PacketOptions.choices)
        guard !arguments.paths.isEmpty else {
            throw UsageError("run needs a scenario file or a folder", of: command)
        }
        let scenarios = try ScenarioFiles.read(arguments.paths)
        let seed = try arguments.seed(of: command)
        let ties = try arguments.seed("--perturb-ties", of: command)
        let packets = try PacketOptions.read(arguments, of: command)
        if arguments.has("--digests") {
            let folder = arguments["--report"].map { ReportFolder.url($0) }
            guard packets == nil || folder != nil else {
                throw UsageError(
                    "--digests writes no files, so there is no place for the packets",
                    remedy: "say with --report where they go")
            }
            return try printDigests(
                SuiteRun(scenarios, seed: seed, ties: ties, folder: folder, packets: packets))
        }
        let folder = ReportFolder.url(arguments["--report"])
        let stage = SuiteStage(printsJSON: arguments.has("--json"))
        let suite = try stage.play(
            SuiteRun(scenarios, seed: seed, ties: ties, folder: folder, packets: packets),
            reports: ReportFolder.shown(folder))
        return suite.isGreen ? .allHeld : .fellShort
    }

    private static func printDigests(_ run: SuiteRun) throws -> ExitCode {
        let suite = try run.play()
        for entry in suite.entries { print("\(entry.folder) \(entry.digest)") }
        try suite.requireWhole()
        return suite.isGreen ? .allHeld : .fellShort
    }
}
