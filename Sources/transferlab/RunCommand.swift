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
        operand: .scenario,
        options: [
            "--seed", "--seeds", "--jobs", "--perturb-ties", .init("--report", .folder),
            .init("--reports", .oneOf(KeptRuns.allCases.map(\.rawValue))),
            Announcer.option, .init("--history", .file),
        ] + ChoiceOptions.options + PacketOptions.options,
        switches: ["--json", "--quiet", "--digests", "--fail-fast", "--flights"],
        help: """
            usage: ./lab run PATH… [--seed N | --seeds A...B] [--filter TAG,…]
                             [--case NAME=VALUE,…] [--jobs N] [--fail-fast]
                             [--perturb-ties N] [--report DIR] [--reports all | few | red]
                             [--json | --quiet] [--digests] [--packets] [--flights]
                             [--annotations] [--history FILE]

            PATH is a scenario file or a folder of scenarios. Scenarios tagged long or
            live-only in a folder are left out, unless --filter names the tag. If the whole
            folder is played, each sentence under sometimes in its suite.yaml must be true
            of at least one run, and with “evidence: every clause” the runs must decide each
            clause of the invariants.

              --seed N      play with this seed instead of the scenarios' own
              --seeds A...B
                            play each scenario with every seed from A to B
            \(ChoiceOptions.help)
              --jobs N      how many runs to play in parallel (default: one per core)
              --fail-fast   start no further run after the first red one
              --perturb-ties N
                            shuffle simultaneous events, by this seed: everything that holds
                            must still hold
              --report DIR  where the reports go (default: Reports/latest)
              --reports all | few | red
                            the runs that leave a page, a log and a model: all, red ones, or
                            (few, the default) red ones and the first \(KeptRuns.seeds) seeds of
                            each scenario; ./lab report DIR makes the page of any other run
              --json        print the suite's summary as JSON instead of lines
              --quiet       print only what failed, and nothing if all is green
              --digests     print only the folder and the digest of each run, and write
                            reports only with --report
            \(PacketOptions.help)
              --flights     record the inputs of each process, in the folder flights beside
                            the report; ./lab replay FILE.flight feeds one of them to a new
                            engine
            \(Announcer.help)
              --history FILE
                            add the medians of this build to a file for ./lab trend

            Exit codes: 0 all scenarios are green, 1 one is red, 2 could not run.

            Example: ./lab run Scenarios/queue/first-upload.yaml --seed 3
            """,
        run: run)

    private static func run(_ arguments: Arguments) throws -> ExitCode {
        _ = try arguments.scenarioPaths()
        let seeds = try arguments.seeds()
        let ties = try arguments.seed("--perturb-ties")
        let packets = try PacketOptions.read(arguments)
        let jobs = try arguments.jobs()
        let form = try arguments.form()
        let failsFast = arguments.has("--fail-fast")
        let folder = ReportFolder.url(arguments["--report"])
        let printsDigests = arguments.has("--digests")
        let isWritten = !printsDigests || arguments.has("--report")
        if isWritten { SuiteRun.removeLast(from: folder) }
        let announcer = Announcer(arguments, folder: isWritten ? folder : nil)
        let (choice, demands) = try announcer.announcingMistakes {
            (try ChoiceOptions.read(arguments, in: .simulated), try Self.demands(for: arguments))
        }
        var run = SuiteRun(
            SuiteCase.all(of: choice.scenarios, seeds: seeds), folder: isWritten ? folder : nil)
        run.leftOut = choice.leftOut
        run.ties = ties
        run.packets = packets
        run.recordsFlights = arguments.has("--flights")
        run.countsPackets = isWritten
        // Captures and flights are wanted of every run.
        let asked = arguments["--reports"].flatMap(KeptRuns.init)
        run.kept = asked ?? (packets == nil && !run.recordsFlights ? .few : .all)
        try arguments.require(
            !printsDigests || !arguments.has("--history"),
            "--digests prints digests alone, so it takes no --history")
        guard isWritten || packets == nil && !run.recordsFlights && asked == nil else {
            let what = packets != nil ? "packets" : run.recordsFlights ? "flights" : "reports"
            throw UsageError(
                "--digests writes no files, so there is no place for the \(what)",
                remedy: "choose a folder with --report")
        }
        run.occasions = demands?.sometimes
        run.demand = demands?.evidence
        guard printsDigests else {
            let suite = try SuiteStage(form, announcer: announcer).play(
                run, jobs: jobs, failingFast: failsFast, reports: ReportFolder.shown(folder))
            if let file = arguments["--history"] { try History.append(suite, to: file) }
            return suite.isGreen ? .allHeld : .fellShort
        }
        let suite = try run.play(jobs: jobs, failingFast: failsFast)
        for entry in suite.entries { print("\(entry.folder) \(entry.digest)") }
        try announcer.announce(run.report(of: suite))
        try suite.requireWhole()
        return suite.isGreen ? .allHeld : .fellShort
    }

    /// Returns what the suite's runs must show together; `nil` if only a part of it is played.
    private static func demands(for arguments: Arguments) throws(RunFailure) -> SuiteDemands? {
        let isPart = ["--seed", "--filter", "--case", "--fail-fast"].contains(where: arguments.has)
        return isPart ? nil : try ScenarioFiles.demands(of: arguments.paths)
    }
}
