import Foundation
import Reports
import Runs

/// `chance`: play random scenarios, and search for one that breaks an invariant.
enum ChanceCommand {
    static let command = Command(
        name: "chance", summary: "play random scenarios to find one that breaks an invariant",
        options: [
            "--runs", "--seed", "--play", "--cells", "--jobs", .init("--report", .folder),
            .init("--facade", .someOf(ChanceFacade.allCases.map(\.rawValue))), Announcer.option,
        ],
        switches: ["--json", "--quiet", "--words"],
        help: """
            usage: ./lab chance [--runs N] [--seed N] [--facade NAME,…] [--cells N]
                                [--jobs N] [--report DIR] [--json | --quiet]
                                [--annotations]
                   ./lab chance --play SEED [--facade NAME,…] [--report DIR] [--quiet]
                   ./lab chance --words [--runs N] [--seed N] [--facade NAME,…]

            Makes a scenario from each seed: a phone with one or two apps, transfers by each
            façade, links, faults of the server and a timeline of trouble; each kind of
            trouble is left out of some runs. At the end comes a healing, and a user who
            opens the apps. Each run is judged by the invariants. The tables say how often
            each cell of the state tables was reached: this event came in this state; –
            cannot happen.

              --runs N      how many scenarios to play (default: 1000)
              --seed N      the first seed (default: 1)
              --play SEED   play only this seed, and write all reports of its run;
                            scenario.yaml beside them is its scenario, and smallest.yaml, if
                            the run is red, the smallest scenario that fails alike: ./lab
                            run plays both
              --facade NAME,…
                            only these façades: queue, persistent, operations, background,
                            resumable
              --cells N     also fail if a cell was reached fewer than N times
              --words       play nothing; list each word of the language with the number of
                            scenarios that use it
              --jobs N      how many runs to play in parallel (default: one per core)
              --report DIR  where the reports go (default: Reports/chance)
              --json        print the tables as JSON instead of lines
              --quiet       print only what failed, and nothing if all is green
            \(Announcer.help)

            Exit codes: 0 all invariants held in all runs, 1 an invariant failed or a cell
            was reached too rarely, 2 could not run.

            Example: ./lab chance --runs 20000
            """,
        run: run)

    private static func run(_ arguments: Arguments) throws -> ExitCode {
        if let path = arguments.paths.first {
            throw arguments.wrong("chance takes no file such as “\(path)”")
        }
        let facades = try facades(arguments)
        let form = try arguments.form()
        let folder = ReportFolder.url(arguments["--report"], usual: "Reports/chance")
        if let seed = try arguments.seed("--play") {
            for option in ["--runs", "--seed", "--cells", "--jobs", "--json"] {
                try arguments.require(
                    !arguments.has(option),
                    "\(option) and --play exclude each other, because --play plays one run")
            }
            return try play(
                seed, of: facades, into: folder, form, Announcer(arguments, folder: folder))
        }
        let first = try arguments.seed() ?? 1
        let count = try arguments.number("--runs", in: 1...10_000_000) ?? 1_000
        let runs = ChanceRuns(from: first, count: count, of: facades)
        if arguments.has("--words") {
            for option in ["--cells", "--jobs", "--report", "--json", "--quiet"] {
                try arguments.require(
                    !arguments.has(option), "--words plays nothing, so \(option) has no use")
            }
            return list(runs.words())
        }
        let least = try arguments.count("--cells").map(UInt64.init)
        ResultFiles.removeLast(from: folder)
        let began = Date()
        let table = try play(runs, count, jobs: arguments.jobs(), form)
        try table.write(into: folder)
        let report = TestReport(
            chance: table, least: least ?? 0, seconds: Date().timeIntervalSince(began),
            folder: folder.path, in: Workspace())
        try ResultFiles.write(report, began: began, into: folder)
        try Announcer(arguments, folder: folder).announce(report)
        let missed = table.cells(below: least ?? 0)
        let isGreen = table.isGreen && missed.isEmpty
        if form == .json {
            Terminal.show(ChanceJSON.data(for: table))
        } else if form == .lines || !isGreen {
            let terminal = Terminal()
            let text = ChanceText(isColoured: terminal.hasColour, width: terminal.width)
            if form == .lines {
                Terminal.say(text.text(for: table))
            } else if !table.isGreen {
                Terminal.say(text.red(of: table))
            }
            for cell in missed { Terminal.say("✘ \(cell)") }
            let total = text.total(of: table, least: least ?? 1)
            Terminal.say("\(total); \(ReportFolder.shown(folder))/chance.json")
        }
        return isGreen ? .allHeld : .fellShort
    }

    private static func list(_ words: [(word: String, scenarios: Int)]) -> ExitCode {
        var table = TextTable([.right, .left])
        for entry in words { table.add(["\(entry.scenarios)", entry.word]) }
        Terminal.say(table.text)
        return .allHeld
    }

    private static func play(
        _ runs: ChanceRuns, _ count: Int, jobs: Int, _ form: OutputForm
    ) throws -> ChanceTable {
        let pace = Pace()
        return try Terminal.showingProgress { tell in
            try runs.play(jobs: jobs) { played, red in
                guard form != .failures else { return }
                let time = pace.note(done: played, of: count)
                tell("\(played) of \(count) runs, \(red) red\(time)")
            }
        }
    }

    /// Plays one seed, and writes its reports, its scenario and the smallest scenario that fails
    /// alike.
    private static func play(
        _ seed: UInt64, of facades: [ChanceFacade], into url: URL, _ form: OutputForm,
        _ announcer: Announcer
    ) throws -> ExitCode {
        ResultFiles.removeLast(from: url)
        let began = Date()
        let runs = ChanceRuns(from: seed, count: 1, of: facades)
        let run = try runs.play(seed: seed, into: url)
        let report = TestReport(
            chance: run, seconds: Date().timeIntervalSince(began), folder: url.path,
            in: Workspace())
        try ResultFiles.write(report, began: began, into: url)
        try announcer.announce(report)
        guard form == .lines || !run.judgement.isGreen else { return .allHeld }
        Terminal.say(ChanceText(isColoured: Terminal().hasColour).text(for: run))
        let shown = ReportFolder.shown(url)
        guard let breach = run.breaches.first else {
            guard run.judgement.isGreen else {
                Terminal.say(
                    "The scenario is \(shown)/scenario.yaml; a run that traps has no report")
                return .fellShort
            }
            Terminal.say(
                "The report is \(shown)/report.html, the scenario is \(shown)/scenario.yaml")
            return .allHeld
        }
        Terminal.say(
            "The report is \(shown)/report.html, and the scenario is \(shown)/scenario.yaml")
        try runs.writeSmallest(seed: seed, breaking: breach, into: url)
        Terminal.say("The smallest scenario with the same failure is \(shown)/smallest.yaml")
        return .fellShort
    }

    private static func facades(_ arguments: Arguments) throws(UsageError) -> [ChanceFacade] {
        let all = ChanceFacade.allCases
        guard let names = arguments.list("--facade") else { return all }
        try arguments.require(!names.isEmpty, "--facade takes names separated by commas")
        for name in names where ChanceFacade(rawValue: name) == nil {
            throw UsageError(
                "there is no façade “\(name)”", meant: name, among: all.map(\.rawValue),
                remedy: "./lab help chance lists them")
        }
        return all.filter { names.contains($0.rawValue) }
    }
}
