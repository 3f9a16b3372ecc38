package import Foundation

/// The terminal output of random scenarios: how often each cell was reached, and the details of red
/// runs.
package struct ChanceText: Sendable {
    private let ink: TerminalInk

    /// The number of red entries that are shown.
    private static let shown = 10

    /// The width for tables; `nil` if it does not matter.
    private let width: Int?

    package init(isColoured: Bool, width: Int? = nil) {
        ink = TerminalInk(isColoured: isColoured)
        self.width = width
    }

    package func text(for table: ChanceTable) -> String {
        let tables = table.tables.map { text(for: $0) + "\n" }
        return (tables + (table.isGreen ? [] : [red(of: table)])).joined(separator: "\n")
    }

    /// Returns the red runs alone.
    package func red(of table: ChanceTable) -> String {
        var lines: [String] = []
        for run in table.red.prefix(Self.shown) { lines.append(text(for: run)) }
        if table.red.count > Self.shown {
            lines.append("and \(table.red.count - Self.shown) more in chance.json")
        }
        return lines.joined(separator: "\n")
    }

    /// Returns the last line. Each cell should have been reached `least` times.
    package func total(of table: ChanceTable, least: UInt64) -> String {
        let runs = table.runs == 1 ? "1 random run" : "\(table.runs) random runs"
        let verdict = ink.verdict(isGreen: table.isGreen, red: table.red.count, of: table.runs)
        let seldom = table.cells(below: least).count
        let times = least == 1 ? "once" : "\(least) times"
        let cells =
            seldom == 0
            ? "each of \(table.cellCount) cells reached \(times) or more"
            : "\(seldom) of \(table.cellCount) cells not reached \(times)"
        return "\(runs): \(verdict); \(cells); digest \(table.digest)"
    }

    private func text(for cells: ChanceTable.Cells) -> String {
        var table = TextTable([.left] + cells.events.map { _ in .right })
        table.add([cells.name] + cells.events)
        for row in cells.rows {
            table.add([row.state] + row.counts.map { $0.map(String.init) ?? "–" })
        }
        return table.text(within: width)
    }

    package func text(for run: ChanceTable.RedRun) -> String {
        let mark = ink.mark(isGreen: run.judgement.isGreen)
        let line = "\(mark) seed \(run.seed): \(run.judgement.sentence)"
        let details = ink.details(run.judgement, run.breaches, command: run.command)
        return ([line] + details).joined(separator: "\n")
    }
}

/// `chance.json`: the results of random scenarios for programs.
package enum ChanceJSON {
    package static func data(for table: ChanceTable) -> Data {
        let whole = Whole(
            format: format, leastReached: table.leastReached, chance: table)
        return RunJSON.file(whole)
    }

    private static let format = "transferlab-chance/1"

    package static let schema = FileSchema(
        "chance", "chance.json: the results of random scenarios", format: format, of: Whole.self)

    private struct Whole: Codable {
        var format: String
        var leastReached: UInt64?
        var chance: ChanceTable
    }
}
