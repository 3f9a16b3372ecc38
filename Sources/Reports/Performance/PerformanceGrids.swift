import Foundation
import Quantities

/// The grids of matrices: two axes at a time, each cell coloured by how near its goodput comes to
/// what the link allows.
enum PerformanceGrids {
    static func markup(for report: PerformanceReport) -> Markup {
        let grids = report.matrices.map { file($0, isComparison: report.isComparison) }
        return SuiteIndex.section("Matrices", grids.isEmpty ? [] : [note(report)] + grids)
    }

    private static func note(_ report: PerformanceReport) -> Markup {
        let change =
            report.isComparison ? " The last line is the change of that time from A to B." : ""
        return """
            <p class="note">A cell shows the share of the fastest time that any transfer could \
            take: 100 % means that the payload alone filled the fastest link. Below is the median \
            time to completion.\(change)</p>

            """
    }

    private static func file(_ cases: [PerformanceCase], isComparison: Bool) -> Markup {
        let names = cases[0].axes.map(\.name)
        let wide = names.indices.filter { place in
            Set(cases.map { value(of: names[place], in: $0) }).count > 1
        }
        let columns = names[wide.last ?? 0]
        let rows = wide.count > 1 ? names[wide[0]] : nil
        let others = names.filter { $0 != columns && $0 != rows }
        let groups = distinct(cases.map { one in others.map { value(of: $0, in: one) } })
        let grids = groups.map { group -> Markup in
            let part = cases.filter { one in others.map { value(of: $0, in: one) } == group }
            let fixed = zip(others, group).map { "\($0) \($1)" }.joined(separator: ", ")
            return grid(part, rows, columns, fixed, isComparison: isComparison)
        }
        return """
            <div class="file"><h3>\(cases[0].fileTitle)</h3>
            \(grids)</div>

            """
    }

    private static func grid(
        _ cases: [PerformanceCase], _ rows: String?, _ columns: String, _ fixed: String,
        isComparison: Bool
    ) -> Markup {
        let across = distinct(cases.map { value(of: columns, in: $0) })
        let down = rows.map { name in distinct(cases.map { value(of: name, in: $0) }) } ?? ["share"]
        let names = (rows.map { "\($0) × " } ?? "") + columns
        let caption = fixed.isEmpty ? names : "\(names), \(fixed)"
        let body = down.map { left -> Markup in
            let cells = across.map { top -> Markup in
                let one = cases.first { one in
                    value(of: columns, in: one) == top
                        && (rows.map { value(of: $0, in: one) } ?? "share") == left
                }
                return cell(one, isComparison: isComparison)
            }
            return "<tr><th scope=\"row\">\(left)</th>\(cells)</tr>\n"
        }
        return """
            <div class="scroll" tabindex="0" role="group" aria-label="\(caption)">\
            <table class="grid">
            <caption>\(caption)</caption>
            <thead><tr><td></td>\(across.map { "<th scope=\"col\">\($0)</th>" })</tr></thead>
            <tbody>\(body)</tbody>
            </table></div>

            """
    }

    private static func cell(_ one: PerformanceCase?, isComparison: Bool) -> Markup {
        guard let one, let time = one.row(of: .completion)?.after else { return "<td>–</td>" }
        let words = PerformanceFigure.completion.words(time.median)
        let change = one.row(of: .completion)?.change.map(PerformanceFigure.completion.parts)
        let mark = one.result == .slower ? "✘ " : one.result == .faster ? "✔ " : ""
        let last: Markup =
            isComparison ? "<small>\(mark)\(change?.median ?? "–")</small>" : .nothing
        guard let share = share(of: one.after) else {
            return "<td><strong>–</strong><small>\(words)</small>\(last)</td>"
        }
        let percent = Int((share * 100).rounded())
        return """
            <td style="--share:\(min(100, percent))%"><strong>\(percent) %</strong>\
            <small>\(words)</small>\(last)</td>
            """
    }

    /// Returns the median share of the fastest possible time.
    private static func share(of entries: [SuiteEntry]) -> Double? {
        Spread(
            entries.compactMap { entry in
                guard let floor = entry.performance?.floor, let time = entry.completion,
                    time > .zero
                else { return nil }
                return floor.seconds / time.seconds
            })?.median
    }

    private static func value(of name: String, in one: PerformanceCase) -> String {
        one.axes.first { $0.name == name }?.value ?? ""
    }

    private static func distinct<Value: Hashable>(_ values: [Value]) -> [Value] {
        var seen: Set<Value> = []
        return values.filter { seen.insert($0).inserted }
    }
}
