import Foundation
import Quantities
import Reports
import Runs
import Scenario

/// Plays a suite and shows it: a progress line on a terminal, a lasting line for each scenario, or
/// the summary as JSON for a program.
struct SuiteStage {
    let form: OutputForm
    /// Whether runs are slow, so that the start and end of each are reported even without a
    /// terminal.
    let isSlow: Bool
    /// Tells a build server about the results; `nil` if they are not new.
    let announcer: Announcer?
    private let terminal = Terminal()

    init(_ form: OutputForm, isSlow: Bool = false, announcer: Announcer? = nil) {
        self.form = form
        self.isSlow = isSlow
        self.announcer = announcer
    }

    func play(
        _ run: SuiteRun, jobs: Int = 1, failingFast: Bool = false, reports: String
    ) throws(RunFailure) -> Suite {
        let lines = TerminalSummary(isColoured: terminal.hasColour)
        let pace = Pace()
        var (begun, finished) = (0, 0)
        // Results come in order, so a slow run holds those of later runs back.
        func time(of count: Int) -> String {
            pace.note(done: max(finished, begun - jobs), of: count)
        }
        defer { terminal.clearProgress() }
        let suite = try run.play(jobs: jobs, failingFast: failingFast) { moment in
            switch moment {
            case .began(let scenario, let number, let count):
                begun = number
                show(scenario, number, count, time(of: count))
                if notes { Terminal.note("[\(number)/\(count)] \(scenario.name) begins") }
            case .reached(let now, let scenario, let number, let count):
                show(scenario, number, count, ", \(now.sinceStart) played\(time(of: count))")
            case .finished(let entry):
                finished += 1
                terminal.clearProgress()
                let isGreen = entry.judgement.isGreen
                if notes {
                    let end = isGreen ? "green" : "red"
                    Terminal.note("\(entry.scenario) ended after \(entry.duration): \(end)")
                }
                if form == .lines || form == .failures && !isGreen { say(lines.text(for: entry)) }
            case .trapped(let run):
                finished += 1
                terminal.clearProgress()
                if form != .json { say(lines.text(for: run)) }
            }
        }
        try announcer?.announce(run.report(of: suite))
        // A suite without runs has only its reason to show.
        if suite.entries.isEmpty { try suite.requireWhole() }
        if form == .json {
            Terminal.show(SuiteJSON.data(for: suite))
        } else if form == .lines || !suite.isGreen {
            let page = run.hasIndex ? "; reports in \(reports)/index.html" : ""
            Terminal.say("\(lines.total(of: suite)); took \(pace.elapsed)\(page)")
        }
        try suite.requireWhole()
        return suite
    }

    /// Whether the start and end of each run are lasting lines.
    private var notes: Bool { isSlow && form != .failures && !terminal.isInteractive }

    /// Prints a result at once, so that a reader of a pipe sees each run when it ends.
    private func say(_ text: String) {
        Terminal.say(text)
        fflush(nil)
    }

    private func show(_ scenario: Scenario, _ number: Int, _ count: Int, _ time: String) {
        guard form != .failures else { return }
        terminal.progress("[\(number)/\(count)] \(scenario.name)\(time)")
    }
}
