import Foundation
import Reports
import Runs

/// `trend`: draw the figures of many builds.
enum TrendCommand {
    static let command = Command(
        name: "trend", summary: "draw the figures of the last builds, and mark their steps",
        operand: .file, options: [.init("--report", .folder)],
        help: """
            usage: ./lab trend FILE [--report DIR]

            FILE is a history: a file to which ./lab run --history and ./lab bench --history
            add a line for each build. The page trend.html draws each figure over the last
            \(History.builds) builds, those that changed first.

              --report DIR  where the page goes (default: Reports/trend)

            Exit codes: 0 drawn, 2 could not run.

            Example: ./lab run Scenarios --history Reports/history.jsonl
                     ./lab trend Reports/history.jsonl
            """,
        run: run)

    private static func run(_ arguments: Arguments) throws -> ExitCode {
        let history = try History(at: arguments.onlyPath("the file of one history"))
        let folder = ReportFolder.url(arguments["--report"], usual: "Reports/trend")
        let table = history.table
        try ResultFile.write(
            Data(TrendPage.document(for: table, by: .current).utf8),
            to: folder.appending(path: "trend.html").path)
        let changed = table.rows.count { !$0.steps.isEmpty }
        Terminal.say(
            "\(changed) of \(table.rows.count) figures changed in \(table.builds.count) builds; "
                + "\(ReportFolder.shown(folder))/trend.html")
        return .allHeld
    }
}
