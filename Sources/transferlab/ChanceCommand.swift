import Foundation
import Reports
import Runs

/// `chance`: play random scenarios, and search for one that breaks an invariant.
enum ChanceCommand {
    static let command = Command(
        name: "chance", summary: "play random scenarios to find one that breaks an invariant",
        help: """
            usage: ./lab chance [--runs N] [--seed N] [--facade NAME,…] [--cells N] [--jobs N]
                                [--report DIR] [--json]
                   ./lab chance --play SEED [--facade NAME,…] [--report DIR]

            Makes a scenario from each seed: a phone with one or two apps, transfers by each façade,
            links, faults of the server and a timeline of trouble; each kind of trouble is left out
            of some runs. At the end comes a healing, and a user who opens the apps. Each run is
            judged by the invariants. The tables say how often each cell of the state tables was
            reached: this event came in this state; – cannot happen.

              --runs N      how many scenarios to play (default: 1000)
              --seed N      the first seed (default: 1)
              --play SEED   play only this seed, and write all reports of its run; scenario.yaml
                            beside them is its scenario, and smallest.yaml, if the run is red, the
                            smallest scenario that fails alike: ./lab run plays both
              --facade NAME,…
                            only these façades: queue, persistent, operations, background,
                            resumable
              --cells N     also fail if a cell was reached fewer than N times
              --jobs N      how many runs to play in parallel (default: one per core)
              --report DIR  where the reports go (default: Reports/chance)
              --json        print the tables as JSON instead of lines

            Exit codes: 0 all invariants held in all runs, 1 an invariant failed or a cell was
            reached too rarely, 2 could not run.

            Example: ./lab chance --runs 20000
            """,
        run: run)

    private static func run(_ words: [String]) throws -> ExitCode {
        let arguments = try Arguments(
            words, of: command,
            options: ["--runs", "--seed", "--play", "--facade", "--cells", "--jobs", "--report"],
            switches: ["--json"])
        if let path = arguments.paths.first {
            throw UsageError("chance takes no file such as “\(path)”", of: command)
        }
        let facades = try facades(arguments["--facade"])
        let folder = ReportFolder.url(arguments["--report"], usual: "Reports/chance")
        if let seed = try arguments.seed("--play", of: command) {
            let ofMany = ["--runs", "--seed", "--cells", "--jobs"].first { arguments[$0] != nil }
            if let option = ofMany ?? (arguments.has("--json") ? "--json" : nil) {
                throw UsageError(
                    "\(option) and --play exclude each other, because --play plays one run",
                    of: command)
            }
            return try play(seed, of: facades, into: folder)
        }
        let first = try arguments.seed("--seed", of: command) ?? 1
        let count = try runs(arguments["--runs"])
        let runs = ChanceRuns(from: first, count: count, of: facades)
        let least = try arguments.count("--cells", of: command).map(UInt64.init)
        let jobs =
            try arguments.count("--jobs", of: command)
            ?? ProcessInfo.processInfo.activeProcessorCount
        let table = try play(runs, count, jobs: jobs)
        try ChanceFolder(creating: folder).write(table)
        if arguments.has("--json") {
            print(String(decoding: ChanceJSON.data(for: table), as: UTF8.self), terminator: "")
        } else {
            let text = ChanceText(isColoured: Terminal().hasColour)
            print(text.text(for: table))
            for cell in table.cells(below: least ?? 0) { print("✘ \(cell)") }
            let total = text.total(of: table, least: least ?? 1)
            print("\(total); \(ReportFolder.shown(folder))/chance.json")
        }
        let isReached = table.cells(below: least ?? 0).isEmpty
        return table.isGreen && isReached ? .allHeld : .fellShort
    }

    private static func play(
        _ runs: ChanceRuns, _ count: Int, jobs: Int
    ) throws -> ChanceTable {
        let terminal = Terminal()
        defer { terminal.clearProgress() }
        let start = Date()
        return try runs.play(jobs: jobs) { played, red in
            let rate = Double(played) / max(Date().timeIntervalSince(start), 0.001)
            terminal.progress(
                "\(played) of \(count) runs, \(red) red, \(Int(rate)) runs per second")
        }
    }

    /// Plays one seed, and writes its reports, its scenario and the smallest scenario that fails
    /// alike.
    private static func play(
        _ seed: UInt64, of facades: [ChanceFacade], into url: URL
    ) throws -> ExitCode {
        let runs = ChanceRuns(from: seed, count: 1, of: facades)
        let folder = try ChanceFolder(creating: url)
        let model = try runs.play(seed: seed, into: RunFolder(creating: url))
        try folder.write(runs.text(seed: seed), as: "scenario.yaml")
        let run = ChanceTable.RedRun(
            seed: seed, judgement: model.judgement, breaches: RuleBreach.all(in: model),
            command: runs.command(seed: seed))
        print(ChanceText(isColoured: Terminal().hasColour).text(for: run))
        let shown = ReportFolder.shown(url)
        print("The report is \(shown)/report.html, and the scenario is \(shown)/scenario.yaml")
        guard let breach = run.breaches.first else { return .allHeld }
        try folder.write(
            runs.shrunk(seed: seed, breaking: breach), as: "smallest.yaml")
        print("The smallest scenario with the same failure is \(shown)/smallest.yaml")
        return .fellShort
    }

    private static func runs(_ text: String?) throws(UsageError) -> Int {
        guard let text else { return 1_000 }
        guard let count = Int(text), (1...most).contains(count) else {
            throw UsageError(
                "--runs takes a whole number from 1 to \(most), not “\(text)”", of: command)
        }
        return count
    }

    private static let most = 10_000_000

    private static func facades(_ text: String?) throws(UsageError) -> [ChanceFacade] {
        guard let text else { return ChanceFacade.allCases }
        let names = text.split(separator: ",").map(String.init)
        var wanted: [ChanceFacade] = []
        for name in names {
            guard let facade = ChanceFacade(rawValue: name) else {
                throw UsageError(
                    "there is no façade “\(name)”", meant: name,
                    among: ChanceFacade.allCases.map(\.rawValue),
                    remedy: "./lab help chance lists them")
            }
            wanted.append(facade)
        }
        guard !wanted.isEmpty else {
            throw UsageError("--facade takes names separated by commas", of: command)
        }
        return ChanceFacade.allCases.filter(wanted.contains)
    }
}
