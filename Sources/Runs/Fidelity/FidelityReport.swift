import Facts
import Foundation

/// The grid for people: a table, and its bars.
package struct FidelityReport: Sendable {
    package let rows: [FidelityRow]

    package init(_ data: FidelityData, of cells: [FidelityCell] = FidelityCell.grid) {
        rows = cells.map { FidelityRow(data[cell: $0]) }
    }

    /// The share of cells that must agree with the kernel, for some controllers.
    package struct Bar: Hashable, Sendable {
        package let controllers: [FidelityCell.Controller]
        package let share: Double
        package let agreeing: Int
        package let count: Int

        package var holds: Bool { Double(agreeing) >= share * Double(count) }
    }

    private static let shares: [(controllers: [FidelityCell.Controller], share: Double)] = [
        ([.reno, .cubic], 0.95), ([.bbr], 0.90),
    ]

    /// The bars, for the shown cells only.
    package var bars: [Bar] {
        Self.shares.compactMap { controllers, share in
            let own = rows.filter { controllers.contains($0.cell.controller) }
            guard !own.isEmpty else { return nil }
            return Bar(
                controllers: controllers, share: share,
                agreeing: own.count { $0.verdict == .agrees }, count: own.count)
        }
    }

    /// Cells that differ too much and have no reason.
    package var unexplained: [FidelityCell] {
        rows.filter {
            if case .differs(_, isExplained: false) = $0.verdict { true } else { false }
        }.map(\.cell)
    }

    package var holds: Bool { bars.allSatisfy(\.holds) && unexplained.isEmpty }

    /// The goodput of all cells, as readable Markdown.
    package var table: String {
        let head = [
            "Cell", "Kernel", "Span", "Simulated", "Ratio", "Theory", "Late > 1 ms", "Latest",
            "Remark",
        ]
        return Self.table([head] + rows.map(words), words: [0, 8])
    }

    /// The other figures of the cells for which the kernel's are known, as readable Markdown: the
    /// kernel's median and span, and the simulator's median.
    package var furtherTable: String {
        let figures = FidelityFigure.allCases.filter { $0 != .goodput }
        let known = rows.filter { !$0.compared(.peakFlight).kernel.isEmpty }
        guard !known.isEmpty else { return "" }
        let head = ["Cell"] + figures.flatMap { ["\($0.head): kernel", "simulated"] }
        let lines = known.map { row in
            [row.cell.name]
                + figures.flatMap { figure in
                    let compared = row.compared(figure)
                    let simulated = ComparedFigure.median(compared.simulated)
                    return [
                        Self.spanWords(compared.kernel, figure),
                        simulated.map(figure.words) ?? "–",
                    ]
                }
        }
        return Self.table([head] + lines, words: [0])
    }

    private static func spanWords(_ values: [Double], _ figure: FidelityFigure) -> String {
        guard let low = values.first, let high = values.last,
            let median = ComparedFigure.median(values)
        else { return "–" }
        let ends = [low, median, high].map(figure.words)
        return ends[0] == ends[2] ? ends[1] : "\(ends[1]) (\(ends[0])–\(ends[2]))"
    }

    /// Aligns the columns. Those of `words` begin at the left; the last column may be a sentence of
    /// any length.
    private static func table(_ lines: [[String]], words: Set<Int>) -> String {
        let columns = lines[0].indices
        let widths = columns.map { column in
            column == columns.last && words.contains(column)
                ? 0 : lines.map { $0[column].count }.max() ?? 0
        }
        func line(_ cells: [String]) -> String {
            let padded = columns.map { column in
                let word = cells[column]
                let gap = String(repeating: " ", count: max(widths[column] - word.count, 0))
                return words.contains(column) ? word + gap : gap + word
            }
            return "| \(padded.joined(separator: " | ")) |"
        }
        let rule = columns.map { column in
            words.contains(column)
                ? String(repeating: "-", count: max(widths[column], 1) + 2)
                : String(repeating: "-", count: widths[column] + 1) + ":"
        }
        return
            ([line(lines[0]), "|\(rule.joined(separator: "|"))|"]
            + lines.dropFirst().map(line)).joined(separator: "\n")
    }

    /// A sentence for each bar.
    package var summary: [String] {
        bars.map { bar in
            let names = bar.controllers.map(\.rawValue).joined(separator: " and ")
            let bounds = [FidelityFigure.goodput, .drops, .peakFlight].compactMap { figure in
                figure.tolerance(bar.controllers[0]).map {
                    "\(figure.name) within \(Self.percent($0))"
                }
            }
            return "\(names): \(bar.agreeing) of \(bar.count) cells agree with the kernel, "
                + "\(bounds.joined(separator: ", ")), or inside its span (the bar: "
                + "\(Self.percent(bar.share)))."
        }
    }

    private func words(_ row: FidelityRow) -> [String] {
        let goodput = row.compared(.goodput)
        let words = FidelityFigure.goodput.words
        let span = goodput.kernel.first.flatMap { low in goodput.kernel.last.map { (low, $0) } }
        let isMeasured = row.measuredCount > 0
        return [
            row.cell.name, ComparedFigure.median(goodput.kernel).map(words) ?? "–",
            span.map { "\(words($0))–\(words($1))" } ?? "–",
            ComparedFigure.median(goodput.simulated).map(words) ?? "–",
            row.ratio.map { String(format: "%.2f", $0) } ?? "–",
            words(row.cell.theory / 1e6),
            isMeasured ? String(format: "%.2f %%", 100 * row.lateShare) : "–",
            isMeasured ? String(format: "%.1f ms", Double(row.longestMicroseconds) / 1_000) : "–",
            remark(row),
        ]
    }

    private func remark(_ row: FidelityRow) -> String {
        var remarks: [String] = []
        switch row.verdict {
        case .agrees: break
        case .differs(let figures, let isExplained):
            let others = figures.filter { $0 != .goodput }.map(\.name)
            let off = others.isEmpty ? "off" : "off (\(others.joined(separator: ", ")))"
            remarks.append(isExplained ? "\(off): \(row.reason)" : "\(off), without a reason")
        case .unknown:
            let wanted = row.cell.patterns.count
            if row.measuredCount < wanted {
                remarks.append("\(row.measuredCount) of \(wanted) runs measured")
            }
            if !row.isSimulated { remarks.append("not simulated") }
        }
        if row.invalidCount > 0 {
            remarks.append("\(row.invalidCount) not counted, because the emulator was late")
        }
        return remarks.joined(separator: "; ")
    }

    private static func percent(_ share: Double) -> String {
        "\(Int((share * 100).rounded())) %"
    }
}
