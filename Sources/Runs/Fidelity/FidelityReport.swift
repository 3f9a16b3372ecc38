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
        ([.reno, .cubic], 0.90), ([.bbr], 0.75),
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
        rows.filter { $0.verdict == .differs(isExplained: false) }.map(\.cell)
    }

    package var holds: Bool { bars.allSatisfy(\.holds) && unexplained.isEmpty }

    /// The table in readable Markdown; goodput in Mbit/s.
    package var table: String {
        let head = [
            "Cell", "Kernel", "Span", "Simulated", "Ratio", "Theory", "Late > 1 ms", "Latest",
            "Remark",
        ]
        let isNumeric = [false, true, true, true, true, true, true, true, false]
        let lines = [head] + rows.map(words)
        // The last column is a sentence of any length.
        let widths = head.indices.map { column in
            column == head.count - 1 ? 0 : lines.map { $0[column].count }.max() ?? 0
        }
        func line(_ words: [String]) -> String {
            let cells = zip(words, zip(widths, isNumeric)).map { word, form in
                let gap = String(repeating: " ", count: max(form.0 - word.count, 0))
                return form.1 ? gap + word : word + gap
            }
            return "| \(cells.joined(separator: " | ")) |"
        }
        let rule = zip(widths, isNumeric).map { width, isNumeric in
            isNumeric
                ? String(repeating: "-", count: width + 1) + ":"
                : String(repeating: "-", count: max(width, 1) + 2)
        }
        return ([line(head), "|\(rule.joined(separator: "|"))|"] + lines.dropFirst().map(line))
            .joined(separator: "\n")
    }

    /// A sentence for each bar.
    package var summary: [String] {
        bars.map { bar in
            let names = bar.controllers.map(\.rawValue).joined(separator: " and ")
            let tolerance = Self.percent(bar.controllers[0].tolerance)
            return "\(names): \(bar.agreeing) of \(bar.count) cells within \(tolerance) of the "
                + "kernel (the bar: \(Self.percent(bar.share)))."
        }
    }

    private func words(_ row: FidelityRow) -> [String] {
        let kernel = FidelityRow.median(row.kernel)
        let span = row.kernel.first.flatMap { low in row.kernel.last.map { (low, $0) } }
        let isMeasured = !row.kernel.isEmpty
        return [
            row.cell.name, kernel.map { Self.megabits(Double($0)) } ?? "–",
            span.map { "\(Self.megabits(Double($0)))–\(Self.megabits(Double($1)))" } ?? "–",
            row.simulated.map { Self.megabits(Double($0)) } ?? "–",
            row.ratio.map { String(format: "%.2f", $0) } ?? "–",
            Self.megabits(row.cell.theory),
            isMeasured ? String(format: "%.2f %%", 100 * row.lateShare) : "–",
            isMeasured ? String(format: "%.1f ms", Double(row.longestMicroseconds) / 1_000) : "–",
            remark(row),
        ]
    }

    private func remark(_ row: FidelityRow) -> String {
        var remarks: [String] = []
        switch row.verdict {
        case .agrees: break
        case .differs(let isExplained):
            remarks.append(isExplained ? "off: \(row.reason)" : "off, without a reason")
        case .unknown:
            let wanted = FidelityCell.patterns.count
            if row.kernel.count < wanted {
                remarks.append("\(row.kernel.count) of \(wanted) runs measured")
            }
            if row.simulated == nil { remarks.append("not simulated") }
        }
        if row.invalidCount > 0 {
            remarks.append("\(row.invalidCount) not counted, because the emulator was late")
        }
        return remarks.joined(separator: "; ")
    }

    private static func megabits(_ bits: Double) -> String {
        let value = bits / 1e6
        return String(format: value < 10 ? "%.2f" : "%.1f", value)
    }

    private static func percent(_ share: Double) -> String {
        "\(Int((share * 100).rounded())) %"
    }
}
