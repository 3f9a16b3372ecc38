import Foundation
import Quantities
import Reports
import RunLog
import Runs
import Scenario

/// `run`: play scenarios in the virtual world, judge them, and write the reports.
enum RunCommand {
    static let command = Command(
        name: "run", summary: "play scenarios in the virtual world and judge them",
        help: """
            usage: ./lab run PATH… [--seed N | --seeds A...B] [--filter TAG,…]
                             [--case NAME=VALUE,…] [--jobs N] [--fail-fast]
                             [--perturb-ties N] [--report DIR] [--json] [--digests]
                             [--packets] [--flights]

            PATH is a scenario file or a folder of scenarios. Scenarios tagged long or live-only in
            a folder are left out, unless --filter names the tag. If the whole folder is played,
            each sentence under sometimes in its suite.yaml must be true of at least one run.

              --seed N      play with this seed instead of the scenarios' own
              --seeds A...B play each scenario with every seed from A to B
              --filter TAG,…
                            only scenarios that have one of these tags
              --case NAME=VALUE,…
                            if a file has a matrix, only the cases with these values
              --jobs N      how many runs to play in parallel (default: one per core)
              --fail-fast   start no further run after the first red one
              --perturb-ties N
                            shuffle simultaneous events, by this seed: everything that holds must
                            still hold
              --report DIR  where the reports go (default: Reports/latest)
              --json        print the suite's summary as JSON instead of lines
              --digests     print only the folder and the digest of each run, and write reports only
                            with --report
            \(PacketOptions.help)
              --flights     record the inputs of each process, in the folder flights beside the
                            report; ./lab replay FILE.flight feeds one of them to a new engine

            Exit codes: 0 all scenarios are green, 1 one is red, 2 could not run.

            Example: ./lab run Scenarios/queue/first-upload.yaml --seed 3
            """,
        run: run)

    private static func run(_ words: [String]) throws -> ExitCode {
        let arguments = try Arguments(
            words, of: command,
            options: [
                "--seed", "--seeds", "--filter", "--case", "--jobs", "--perturb-ties", "--report",
                PacketOptions.snapLength,
            ],
            switches: ["--json", "--digests", "--fail-fast", "--flights"],
            choices: PacketOptions.choices)
        guard !arguments.paths.isEmpty else {
            throw UsageError("run needs a scenario file or a folder", of: command)
        }
        let seeds = try arguments.seeds(of: command)
        let ties = try arguments.seed("--perturb-ties", of: command)
        let packets = try PacketOptions.read(arguments, of: command)
        let pace = Pace(
            jobs: try arguments.count("--jobs", of: command)
                ?? ProcessInfo.processInfo.activeProcessorCount,
            failingFast: arguments.has("--fail-fast"))
        let folder = ReportFolder.url(arguments["--report"])
        let isQuiet = arguments.has("--digests")
        let isWritten = !isQuiet || arguments["--report"] != nil
        if isWritten { SuiteRun.removeLast(from: folder) }
        let choice = try ScenarioChoice(
            of: ScenarioFiles.read(arguments.paths), at: arguments.paths,
            tags: arguments.tags(of: command), cases: arguments.cases(of: command),
            in: .simulated)
        let recordsFlights = arguments.has("--flights")
        let hasSideFiles = packets != nil || recordsFlights
        guard !isQuiet || !hasSideFiles || arguments["--report"] != nil else {
            let what = packets != nil ? "packets" : "flights"
            throw UsageError(
                "--digests writes no files, so there is no place for the \(what)",
                remedy: "choose a folder with --report")
        }
        let run = SuiteRun(
            SuiteCase.all(of: choice.scenarios, seeds: seeds), leavingOut: choice.leftOut,
            ties: ties, folder: isWritten ? folder : nil, packets: packets,
            recordsFlights: recordsFlights, occasions: try occasions(for: arguments),
            countsPackets: isWritten)
        if isQuiet { return try printDigests(run, pace) }
        let suite = try SuiteStage(printsJSON: arguments.has("--json")).play(
            run, jobs: pace.jobs, failingFast: pace.failingFast,
            reports: ReportFolder.shown(folder))
        return suite.isGreen ? .allHeld : .fellShort
    }

    /// Whether only a part of the suite is played; then the suite's `sometimes` is not checked.
    private static func occasions(
        for arguments: Arguments
    ) throws(RunFailure) -> [Scenario.Expectation]? {
        let isPart =
            arguments["--seed"] != nil || arguments["--filter"] != nil
            || arguments["--case"] != nil || arguments.has("--fail-fast")
        return isPart ? nil : try ScenarioFiles.occasions(of: arguments.paths)
    }

    private struct Pace {
        let jobs: Int
        let failingFast: Bool
    }

    private static func printDigests(_ run: SuiteRun, _ pace: Pace) throws -> ExitCode {
        let suite = try run.play(jobs: pace.jobs, failingFast: pace.failingFast)
        for entry in suite.entries { print("\(entry.folder) \(entry.digest)") }
        try suite.requireWhole()
        return suite.isGreen ? .allHeld : .fellShort
    }
}
