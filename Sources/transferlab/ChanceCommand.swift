import Foundation
import Reports
import Runs

/// `chance`: play random scenarios, and look for one that breaks a rule.
enum ChanceCommand {
    static let command = Command(
        name: "chance", summary: "play random scenarios, and look for one that breaks a rule",
        help: """
            usage: ./lab chance [--runs N] [--seed N] [--facade NAME,…] [--cells N] [--jobs N]
                                [--report DIR] [--json]
                   ./lab chance --play SEED [--facade NAME,…] [--report DIR]

            Makes scenarios from seeds, one for each: a phone with one app or two, what they move by
            each façade, links, faults of the server, and what happens, of which each kind is left
            out of some runs; then a healing, and a user who opens the apps. Each run is judged by
            the rules that watch every run. The tables say how often each cell of the state tables
            was reached: the event has come, and this was the state; – cannot arise.

              --runs N      so many of them (default: 1000)
              --seed N      from this seed on (default: 1)
              --play SEED   play this one alone, with all reports of its run; its scenario lies
                            beside them as scenario.yaml, and if it is red as small as it can be
                            made in smallest.yaml: ./lab run plays both
              --facade NAME,…
                            only what these have: queue, persistent, operations, background,
                            resumable
              --cells N     fall short, too, if a cell was reached less often than that
              --jobs N      play so many at a time (default: one on each core)
              --report DIR  where the reports go (default: Reports/chance)
              --json        print the tables as JSON instead of lines

            Exit codes: 0 all rules held in all runs, 1 one fell or a cell was reached too seldom,
            2 could not run.

            Example: ./lab chance --runs 20000
            """,
        run: run)

    private static func run(_ words: [String]) throws -> ExitCode {
        let arguments = try Arguments(
            words, of: command,
            options: ["--runs", "--seed", "--play", "--facade", "--cells", "--jobs", "--report"],
            switches: ["--json"])
        if let path = arguments.paths.first {
            throw UsageError("chance takes no file, as “\(path)” is one", of: command)
        }
        let facades = try facades(arguments["--facade"])
        let folder = ReportFolder.url(arguments["--report"], usual: "Reports/chance")
        if let seed = try arguments.seed("--play", of: command) {
            let ofMany = ["--runs", "--seed", "--cells", "--jobs"].first { arguments[$0] != nil }
            if let option = ofMany ?? (arguments.has("--json") ? "--json" : nil) {
                throw UsageError("\(option) is for many runs, and --play for one", of: command)
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
                "\(played) of \(count) runs, \(red) red, \(Int(rate)) runs a second")
        }
    }

    /// One, with its reports, its scenario, and the smallest one in which the same goes wrong.
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
        print("The run's reports are in \(shown)/report.html, and it is \(shown)/scenario.yaml")
        guard let breach = run.breaches.first else { return .allHeld }
        try folder.write(
            runs.shrunk(seed: seed, breaking: breach), as: "smallest.yaml")
        print("The same goes wrong in \(shown)/smallest.yaml")
        return .fellShort
    }

    private static func runs(_ text: String?) throws(UsageError) -> Int {
        guard let text else { return 1_000 }
        guard let count = Int(text), (1...most).contains(count) else {
            throw UsageError(
                "--runs wants a whole number from 1 to \(most), not “\(text)”", of: command)
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
                    remedy: "./lab help chance names them all")
            }
            wanted.append(facade)
        }
        guard !wanted.isEmpty else {
            throw UsageError("--facade wants names with commas between them", of: command)
        }
        return ChanceFacade.allCases.filter(wanted.contains)
    }
}
