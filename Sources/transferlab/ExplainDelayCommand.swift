import Reports
import Runs
import Scenario

/// `explain-delay`: say what each fault, outage and kill of a run has cost.
enum ExplainDelayCommand {
    static let command = Command(
        name: "explain-delay", summary: "say what each fault, outage and kill has cost",
        operand: .scenario, options: ["--seed", "--case", "--jobs"], switches: ["--json"],
        help: """
            usage: ./lab explain-delay RUN [--jobs N] [--json]
                   ./lab explain-delay FILE [--seed N] [--case NAME=VALUE,…] [--jobs N]
                                       [--json]

            Plays a run again with one fault, outage, loss or kill taken away at a time, and
            once without all of them. The difference between the moments at which all
            transfers had completed is what each has cost. What they cost together beyond
            the sum is the last line.

            RUN is the folder of an earlier run; the table is added to its report. FILE is a
            scenario.

              --seed N    play with this seed instead of the scenario's own
              --case NAME=VALUE,…
                          the case of a matrix
              --jobs N    how many runs to play in parallel (default: one per core)
              --json      print the table as JSON

            Exit codes: 0 explained, 2 could not run.

            Example: ./lab explain-delay Scenarios/queue/app-killed-and-started-again.yaml
            """,
        run: run)

    private static func run(_ arguments: Arguments) throws -> ExitCode {
        let explanation = try explanation(arguments)
        let jobs = try arguments.jobs()
        let table = try Terminal.showingProgress { tell in
            try explanation.table(jobs: jobs) { tell("run \($0) of \($1)") }
        }
        let page = try explanation.write(table)
        if arguments.has("--json") {
            Terminal.show(RunJSON.data(of: "delays", table))
            return .allHeld
        }
        Terminal.say(DelayText.text(for: table, of: explanation.scenario.name))
        if let page { Terminal.say("the table is in \(page), too") }
        return .allHeld
    }

    private static func explanation(_ arguments: Arguments) throws -> DelayExplanation {
        switch try ChosenRun.read(arguments) {
        case .earlier(let path): try DelayExplanation(ofRunAt: path)
        case .scenario(let scenario, let seed): DelayExplanation(of: scenario, seed: seed)
        }
    }
}
