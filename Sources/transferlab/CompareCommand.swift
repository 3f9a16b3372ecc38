import Foundation
import Runs

/// `compare`: compare two results, or this build with the committed baselines.
enum CompareCommand {
    static let command = Command(
        name: "compare", summary: "compare two results, figure by figure",
        help: """
            usage: ./lab compare A B [--within SHARE] [--json]
                   ./lab compare --baselines [--renew] [--json]

            A and B are result files (from bench --report, a run.json or a summary.json), or folders
            of runs or suites. Prints the figures that differ, with the ratio B / A.

            Simulated figures must be equal: they are the same in every build and on every machine,
            until somebody changes what is simulated. Measured figures, such as packets per second
            or the figures of a live run, are only shown.

              --within SHARE  fail if a measured figure is worse by more than SHARE, such as 10%;
                              wall time is judged only if the machine was not busy
              --baselines     play the benchmark's cases and all scenarios of this project, and
                              compare their figures with Reports/baselines
              --renew         rewrite those files: commit them with the change that explains them
              --json          print every figure as JSON

            Exit codes: 0 all held, 1 a simulated figure differs or a measured figure is worse than
            --within allows, 2 could not compare.

            Example: ./lab bench --report Reports/after.json
                     ./lab compare Reports/before.json Reports/after.json --within 10%
            """,
        run: run)

    private static func run(_ words: [String]) throws -> ExitCode {
        let arguments = try Arguments(
            words, of: command, options: ["--within"],
            switches: ["--json", "--baselines", "--renew"])
        if arguments.has("--baselines") { return try compareBaselines(arguments) }
        guard !arguments.has("--renew") else {
            throw UsageError("--renew works only with --baselines", of: command)
        }
        guard arguments.paths.count == 2 else {
            throw UsageError(
                "compare needs two results, not \(arguments.paths.count)", of: command)
        }
        let (left, right) = (arguments.paths[0], arguments.paths[1])
        let tolerance = try tolerance(arguments["--within"])
        let comparison = FigureComparison(
            of: try ResultFile.read(left), with: try ResultFile.read(right), tolerance: tolerance)
        show(comparison, left, right, asJSON: arguments.has("--json"))
        return comparison.isHeld ? .allHeld : .fellShort
    }

    private static func compareBaselines(_ arguments: Arguments) throws -> ExitCode {
        guard arguments.paths.isEmpty, arguments["--within"] == nil else {
            throw UsageError("--baselines takes neither other results nor --within", of: command)
        }
        let baselines = Baselines(root: ReportFolder.root)
        let terminal = Terminal()
        defer { terminal.clearProgress() }
        let pairs = try baselines.pairs { terminal.progress($0) }
        terminal.clearProgress()
        let comparison = Baselines.comparison(of: pairs)
        show(comparison, "Reports/baselines", "this build", asJSON: arguments.has("--json"))
        if arguments.has("--renew") {
            for pair in pairs { try baselines.renew(pair) }
            Terminal.complain(
                "the baselines were rewritten; commit them with the change that explains them")
            return .allHeld
        }
        if !comparison.isHeld {
            Terminal.complain(
                "this build's figures differ from the committed figures; if that is intended, run\n"
                    + "    ./lab compare --baselines --renew\n"
                    + "and commit the files with the change that explains them")
        }
        return comparison.isHeld ? .allHeld : .fellShort
    }

    private static func show(
        _ comparison: FigureComparison, _ left: String, _ right: String, asJSON: Bool
    ) {
        if asJSON {
            let data = ComparisonJSON.data(for: comparison, left: left, right: right)
            print(String(decoding: data, as: UTF8.self), terminator: "")
        } else {
            print(comparison.text(left: left, right: right))
        }
    }

    /// `10%`, `10 %`, `0.5%`: a share as scenario files write it.
    private static func tolerance(_ text: String?) throws(UsageError) -> Double? {
        guard let text else { return nil }
        let number = text.hasSuffix("%") ? Double(text.dropLast().filter { $0 != " " }) : nil
        guard let number, number >= 0, number.isFinite else {
            throw UsageError("--within takes a share such as 10%, not “\(text)”", of: command)
        }
        return number / 100
    }
}
