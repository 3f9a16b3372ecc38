import Foundation
import Quantities
import Reports
import Runs
import Scenario

/// Plays a suite and shows it: a progress line on a terminal, a lasting line for each scenario, or
/// the summary as JSON for a program.
struct SuiteStage {
    let printsJSON: Bool
    /// Whether runs are slow, so that the start and end of each are reported even without a
    /// terminal.
    var isSlow = false
    private let terminal = Terminal()

    func play(
        _ run: SuiteRun, jobs: Int = 1, failingFast: Bool = false, reports: String
    ) throws(RunFailure) -> Suite {
        let lines = TerminalSummary(isColoured: terminal.hasColour)
        defer { terminal.clearProgress() }
        let suite = try run.play(jobs: jobs, failingFast: failingFast) { moment in
            switch moment {
            case .began(let scenario, let number, let count):
                terminal.progress("[\(number)/\(count)] \(scenario.name)")
                if isSlow { terminal.note("[\(number)/\(count)] \(scenario.name) begins") }
            case .reached(let now, let scenario, let number, let count):
                terminal.progress(
                    "[\(number)/\(count)] \(scenario.name), \(now.sinceStart) played")
            case .finished(let entry):
                terminal.clearProgress()
                if isSlow {
                    let end = entry.judgement.isGreen ? "green" : "red"
                    terminal.note("\(entry.scenario) ended after \(entry.duration): \(end)")
                }
                guard !printsJSON else { return }
                print(lines.text(for: entry))
                // Flushes, so that a reader of a pipe sees each run when it ends.
                fflush(nil)
            case .trapped(let run):
                terminal.clearProgress()
                guard !printsJSON else { return }
                print(lines.text(for: run))
                fflush(nil)
            }
        }
        // A suite without runs has only its reason to show.
        if suite.entries.isEmpty { try suite.requireWhole() }
        if printsJSON {
            Terminal.show(SuiteJSON.data(for: suite))
        } else {
            let page = run.hasIndex ? "; reports in \(reports)/index.html" : ""
            print(lines.total(of: suite) + page)
        }
        try suite.requireWhole()
        return suite
    }
}
