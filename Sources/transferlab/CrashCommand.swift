import Foundation
import Quantities
import Reports
import RunLog
import Runs
import Scenario

/// `crash`: play scenarios once for each crash point, with a crash there.
enum CrashCommand {
    static let command = Command(
        name: "crash", summary: "kill the app or cut the power at every point of scenarios",
        operand: .scenario,
        options: [
            "--seed", "--pause", "--point", "--jobs", .init("--report", .folder), Announcer.option,
        ] + ChoiceOptions.options,
        switches: ["--json", "--quiet"],
        help: """
            usage: ./lab crash PATH… [--seed N] [--pause N] [--filter TAG,…]
                               [--case NAME=VALUE,…] [--jobs N] [--report DIR]
                               [--json | --quiet] [--annotations]
                   ./lab crash FILE --point N [--seed N] [--pause N] [--report DIR]
                               [--quiet]

            Plays each scenario once as it is, and then once for each event that is not a
            packet and for each write to a store, with a crash there: the first phone's app
            is killed or the phone loses power, and a little later the app is opened again.
            Each run is judged by the invariants. Expectations are skipped, because they
            describe a run without a crash; scenarios with must-fail are skipped, too. The
            table says for each point whether the transfers resumed, started over or need
            the user.

              --seed N      play with this seed instead of the scenarios' own
              --pause N     open the app again after N seconds (default: 1)
              --point N     play only this point, and write all reports of its run
            \(ChoiceOptions.help)
              --jobs N      how many runs to play in parallel (default: one per core)
              --report DIR  where the reports go (default: Reports/crashes)
              --json        print the table as JSON instead of lines
              --quiet       print only what failed, and nothing if all is green
            \(Announcer.help)

            Exit codes: 0 all invariants held at all points, 1 an invariant failed, 2 could
            not run.

            Example: ./lab crash Scenarios/queue/first-upload.yaml
            """,
        run: run)

    private static func run(_ arguments: Arguments) throws -> ExitCode {
        let seed = try arguments.seed()
        let form = try arguments.form()
        let pause = try arguments.count("--pause") ?? 1
        let folder = ReportFolder.url(arguments["--report"], usual: "Reports/crashes")
        let announcer = Announcer(arguments, folder: folder)
        ResultFiles.removeLast(from: folder)
        let choice = try announcer.announcingMistakes {
            try ChoiceOptions.read(arguments, in: .simulated)
        }
        let scenarios = try judgeable(choice.scenarios)
        let leftOut = choice.leftOut.count + choice.scenarios.count - scenarios.count
        let sweeps = scenarios.map {
            CrashSweep($0, seed: seed, pause: .seconds(Int64(pause)))
        }
        if let point = try arguments.seed("--point").map(Int.init(clamping:)) {
            guard sweeps.count == 1 else {
                throw UsageError(
                    "--point needs exactly one scenario, and there are \(sweeps.count)",
                    remedy: "name one file; if it has a matrix, choose one case with --case")
            }
            try arguments.require(
                form != .json, "--json and --point exclude each other")
            return try play(point, of: sweeps[0], into: folder, form, announcer)
        }
        let stage = CrashStage(form: form, leftOut: leftOut, announcer: announcer)
        let isGreen = try stage.play(sweeps, jobs: arguments.jobs(), into: folder)
        return isGreen ? .allHeld : .fellShort
    }

    /// Rejects canaries: they are red even without a crash.
    private static func judgeable(_ scenarios: [Scenario]) throws -> [Scenario] {
        let judgeable = scenarios.filter { $0.mustFail == nil }
        if judgeable.isEmpty, let canary = scenarios.first {
            throw UsageError(
                "\(canary.path) must fail even without a crash, so it cannot judge one",
                remedy: "choose a scenario without “must-fail”")
        }
        return judgeable
    }

    private static func play(
        _ number: Int, of sweep: CrashSweep, into folder: URL, _ form: OutputForm,
        _ announcer: Announcer
    ) throws -> ExitCode {
        let began = Date()
        let rehearsal = try sweep.rehearse()
        try rehearsal.requireEnd()
        guard rehearsal.points.indices.contains(number - 1) else {
            throw UsageError(
                "there is no point \(number)",
                remedy: "the scenario has points 1 to \(rehearsal.points.count)")
        }
        let row = try sweep.play(number - 1, of: rehearsal, into: RunFolder(creating: folder))
        let report = TestReport(
            crash: row, of: sweep.scenario.path, seconds: Date().timeIntervalSince(began),
            folder: folder.path, in: Workspace())
        try ResultFiles.write(report, began: began, into: folder)
        try announcer.announce(report)
        let isGreen = row.judgement.isGreen
        guard form == .lines || !isGreen else { return .allHeld }
        Terminal.say(CrashText(isColoured: Terminal().hasColour).text(for: row))
        Terminal.say("The run's report is \(ReportFolder.shown(folder))/report.html")
        return isGreen ? .allHeld : .fellShort
    }
}

/// Plays the crash points of scenarios and shows progress.
private struct CrashStage {
    let form: OutputForm
    /// The number of scenarios left out: canaries, and scenarios tagged `long` or `live-only`.
    let leftOut: Int
    let announcer: Announcer
    private let terminal = Terminal()

    /// Plays all points; true if every run is green.
    func play(_ sweeps: [CrashSweep], jobs: Int, into folder: URL) throws -> Bool {
        defer { terminal.clearProgress() }
        let began = Date()
        var tables: [CrashTable] = []
        var seconds: [Double] = []
        let text = CrashText(isColoured: terminal.hasColour)
        for (number, sweep) in sweeps.enumerated() {
            let start = ContinuousClock.now
            let rehearsal = try sweep.rehearse()
            let pace = Pace()
            let count = rehearsal.points.count
            let table = try sweep.play(rehearsal, jobs: jobs) { played in
                guard form != .failures else { return }
                let time = pace.note(done: played, of: count)
                terminal.progress(
                    "[\(number + 1)/\(sweeps.count)] point \(played) of \(count)\(time)")
            }
            terminal.clearProgress()
            tables.append(table)
            seconds.append(start.duration(to: .now) / .seconds(1))
            guard form == .lines || form == .failures && !table.isGreen else { continue }
            Terminal.say(text.text(for: table))
            fflush(nil)
        }
        try CrashTable.write(tables, into: folder)
        let report = TestReport(
            crashes: tables, seconds: seconds, folder: folder.path, in: Workspace())
        try ResultFiles.write(report, began: began, into: folder)
        try announcer.announce(report)
        let isGreen = tables.allSatisfy(\.isGreen)
        if form == .json {
            Terminal.show(CrashJSON.data(for: tables))
        } else if form == .lines || !isGreen {
            let scenarios = leftOut == 1 ? "scenario" : "scenarios"
            let others = leftOut == 0 ? "" : ", \(leftOut) \(scenarios) left out"
            let reports = "\(ReportFolder.shown(folder))/index.html"
            Terminal.say("\(text.total(of: tables))\(others); reports in \(reports)")
        }
        return isGreen
    }
}
