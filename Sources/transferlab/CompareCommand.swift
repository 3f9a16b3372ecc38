import Foundation
import Reports
import Runs

/// `compare`: compare two results, or this build with the committed baselines.
enum CompareCommand {
    static let command = Command(
        name: "compare", summary: "compare two results, figure by figure",
        operand: .file,
        options: ["--within", "--slower-than", .init("--report", .folder)],
        switches: ["--json", "--baselines", "--renew"],
        help: """
            usage: ./lab compare A B [--within SHARE] [--slower-than SHARE] [--report DIR]
                                 [--json]
                   ./lab compare --baselines [--renew] [--json]

            A and B are result files (from bench --report, a run.json or a summary.json), or
            folders of runs or suites. Prints the figures that differ, with the ratio B / A.

            Simulated figures must be equal: they are the same in every build and on every
            machine, until somebody changes what is simulated. Measured figures, such as
            packets per second or the figures of a live run, are only shown.

              --within SHARE  fail if a measured figure is worse by more than SHARE, such as
                              10%; wall time is judged only if the machine was not busy
              --slower-than SHARE
                              for two suites: fail only if a case takes longer by more than
                              SHARE, which its whole 95 % confidence interval must show, or
                              no longer completes; simulated figures may then differ
              --report DIR    for two suites: write performance.html, .json and .md with all
                              figures over the seeds, into DIR
              --baselines     play the benchmark's cases and all scenarios of this project,
                              and compare their figures with Reports/baselines
              --renew         rewrite those files: commit them with the change that explains
                              them
              --json          print every figure as JSON

            Exit codes: 0 all held, 1 a simulated figure differs or a measured figure is
            worse than --within allows, or with --slower-than a case is slower; 2 could not
            compare.

            Example: ./lab compare Reports/before.json Reports/after.json --within 10%
                     ./lab compare before after --slower-than 5% --report Reports/change
            """,
        run: run)

    private static func run(_ arguments: Arguments) throws -> ExitCode {
        if arguments.has("--baselines") { return try compareBaselines(arguments) }
        try arguments.require(!arguments.has("--renew"), "--renew works only with --baselines")
        let paths = arguments.paths
        try arguments.require(paths.count == 2, "compare needs two results, not \(paths.count)")
        let (left, right) = (paths[0], paths[1])
        let tolerance = try share("--within", of: arguments)
        let bound = try share("--slower-than", of: arguments)
        let folder = arguments["--report"].map { URL(filePath: $0) }
        let comparison = FigureComparison(
            of: try ResultFile.read(left), with: try ResultFile.read(right), tolerance: tolerance)
        let isWanted = bound != nil || folder != nil
        let report = isWanted ? try performance(of: left, right) : nil
        show(comparison, left, right, asJSON: arguments.has("--json"))
        if let report, let folder {
            try PerformanceFiles.write(report, into: folder)
            Terminal.tell(
                "\(report.headline); see \(ReportFolder.shown(folder))/\(PerformanceFiles.page)")
        }
        guard let report, let bound else { return comparison.isHeld ? .allHeld : .fellShort }
        return isFast(report, within: bound) && comparison.count(.worse) == 0
            ? .allHeld : .fellShort
    }

    private static func performance(
        of left: String, _ right: String
    ) throws(RunFailure) -> PerformanceReport {
        let report = PerformanceReport(
            of: try ResultFile.suite(left), with: try ResultFile.suite(right))
        guard report.hasPairs else {
            throw RunFailure(
                "no simulated run of \(left) has the same file, case and seed as one of \(right); "
                    + "play the same scenarios with the same seeds")
        }
        return report
    }

    /// Complains about each case that is slower than allowed.
    private static func isFast(_ report: PerformanceReport, within bound: Double) -> Bool {
        let slow = report.cases.filter { $0.isSlower(than: bound) }
        for one in slow { Terminal.complain(one.complaint) }
        return slow.isEmpty
    }

    private static func compareBaselines(_ arguments: Arguments) throws -> ExitCode {
        try arguments.require(
            arguments.paths.isEmpty
                && !["--within", "--slower-than", "--report"].contains(where: arguments.has),
            "--baselines takes no other results, and neither --within, --slower-than nor --report")
        let baselines = Baselines(root: ReportFolder.root)
        let pairs = try Terminal.showingPace { try baselines.pairs($0) }
        let comparison = Baselines.comparison(of: pairs)
        show(comparison, "Reports/baselines", "this build", asJSON: arguments.has("--json"))
        if arguments.has("--renew") {
            for pair in pairs { try baselines.renew(pair) }
            Terminal.tell(
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
            Terminal.show(ComparisonJSON.data(for: comparison, left: left, right: right))
        } else {
            Terminal.say(comparison.text(left: left, right: right))
        }
    }

    /// Returns the share of an option: `10%`, `10 %`, `0.5%`, as scenario files write it.
    private static func share(
        _ option: String, of arguments: Arguments
    ) throws(UsageError) -> Double? {
        guard let text = arguments[option] else { return nil }
        let number = text.hasSuffix("%") ? Double(text.dropLast().filter { $0 != " " }) : nil
        guard let number, number >= 0, number.isFinite else {
            throw arguments.wrong("\(option) takes a share such as 10%, not “\(text)”")
        }
        return number / 100
    }
}
