import Foundation
import Reports
import RunLog
import Runs
import Scenario

/// `list --evidence`: how often scenarios, random runs and crashes decide each clause of the
/// invariants.
enum EvidenceListing {
    private static let usualRuns = 500
    private static let usualPoints = 3

    static func list(_ arguments: Arguments) throws -> ExitCode {
        try arguments.require(
            !arguments.has("--filter") && !arguments.has("--tests"),
            "--evidence takes paths, --runs, --points, --jobs and --json, and nothing else")
        let gathering = EvidenceGathering(jobs: try arguments.jobs())
        let runs = try arguments.number("--runs", in: 0...100_000) ?? usualRuns
        let points = try arguments.number("--points", in: 0...1_000) ?? usualPoints
        let paths = arguments.paths.isEmpty ? ["Scenarios"] : arguments.paths
        let reports = paths.filter(EvidenceGathering.isReports)
        let scenarios =
            reports.count == paths.count
            ? [] : try scenarios(at: paths.filter { !reports.contains($0) })
        let table = try Terminal.showingProgress { tell in
            var pace = Pace()
            var played = try gathering.ofScenarios(scenarios) {
                let time = pace.note(done: $0, of: scenarios.count)
                tell("\($0) of \(scenarios.count) scenarios\(time)")
            }
            for path in reports {
                played += try EvidenceGathering.ofReports(in: URL(filePath: path))
            }
            pace = Pace()
            let chance = try gathering.ofChance(runs: runs) {
                tell("\($0) of \(runs) random runs\(pace.note(done: $0, of: runs))")
            }
            pace = Pace()
            let crashes = try gathering.ofCrashes(scenarios, points: points) {
                let time = pace.note(done: $0, of: scenarios.count)
                tell("crashes in \($0) of \(scenarios.count) scenarios\(time)")
            }
            return EvidenceTable(scenarios: played, chance: chance, crashes: crashes)
        }
        if arguments.has("--json") {
            Terminal.show(RunJSON.data(of: "evidence", table))
        } else {
            let text = EvidenceText(isColoured: Terminal().hasColour)
            Terminal.say(text.text(for: table))
            Terminal.say("\n" + text.total(of: table))
        }
        return table.empty.isEmpty ? .allHeld : .fellShort
    }

    private static func scenarios(at paths: [String]) throws -> [Scenario] {
        try ScenarioChoice(of: ScenarioFiles.read(paths), at: paths, in: .simulated).scenarios
    }
}
