/// The times to completion as cumulative curves: the share of runs that have completed by then.
enum CompletionCurves {
    /// The smallest number of runs for a curve.
    private static let leastRuns = 5
    private static let lineLimit = 6
    private static let drawingLimit = 48

    static func markup(for report: PerformanceReport) -> Markup {
        let plots = report.isComparison ? comparisons(in: report) : files(of: report)
        guard !plots.isEmpty else { return .nothing }
        let left = plots.count - min(plots.count, drawingLimit)
        let rest: Markup =
            left == 0 ? .nothing : "<p class=\"note\">\(left) more are not drawn.</p>\n"
        return """
            <section aria-label="Time to completion"><h2>Time to completion</h2>
            <p class="note">A curve rises to the share of runs that have completed by then; \
            further left is faster. Files with at least \(leastRuns) seeds are drawn.</p>
            <div class="plots">\(plots.prefix(drawingLimit).map(drawing))</div>
            \(rest)</section>

            """
    }

    private struct Plot {
        var title: String
        var lines: [(name: String, times: [Double])]
    }

    private static func comparisons(in report: PerformanceReport) -> [Plot] {
        report.cases.compactMap { one in
            let lines = [("A", times(of: one.before)), ("B", times(of: one.after))]
            guard lines.allSatisfy({ $0.1.count >= leastRuns }) else { return nil }
            return Plot(title: one.scenario, lines: lines)
        }
    }

    private static func files(of report: PerformanceReport) -> [Plot] {
        report.files.flatMap { file -> [Plot] in
            let lines = file.map { one in
                (name: one.caseWords, times: times(of: one.after))
            }.filter { $0.times.count >= leastRuns }
            return stride(from: 0, to: lines.count, by: lineLimit).map { first in
                Plot(
                    title: file[0].fileTitle,
                    lines: Array(lines[first..<min(first + lineLimit, lines.count)]))
            }
        }
    }

    private static func times(of entries: [SuiteEntry]) -> [Double] {
        entries.compactMap(PerformanceFigure.completion.value).sorted()
    }

    private static func drawing(_ plot: Plot) -> Markup {
        let figure = PerformanceFigure.completion
        let frame = PlotFrame(
            across: PlotFrame.range(of: plot.lines.flatMap(\.times)), up: 0...100,
            acrossTitle: "completed in", acrossWords: figure.words,
            upWords: { "\(Int($0)) %" })
        let words = plot.lines.map { line in
            "\(line.name): median \(figure.words(Spread.quantile(0.5, of: line.times)))"
        }
        let lines = plot.lines.enumerated().map { order, line in
            curve(line.times, in: frame, order: order)
        }
        let names = plot.lines.enumerated().map { legend($1.name, order: $0) }
        let list: Markup =
            names.count > 1 ? "<ul class=\"legend\">\(names)</ul>" : .nothing
        return """
            <figure><figcaption><strong>\(plot.title)</strong>\(list)</figcaption>
            \(frame.drawing(plot.title, words.joined(separator: "; "), "\(lines)"))</figure>

            """
    }

    private static func legend(_ name: String, order: Int) -> Markup {
        """
        <li><svg class="swatch" width="26" height="12" aria-hidden="true">\
        <line class="line series-\(order % 6 + 1)" x1="1" x2="25" y1="6" y2="6" /></svg> \
        \(name)</li>
        """
    }

    private static func curve(_ times: [Double], in frame: PlotFrame, order: Int) -> Markup {
        var points = [(frame.x(frame.across.lowerBound), frame.y(0))]
        for (place, time) in times.enumerated() {
            points.append((frame.x(time), points[points.count - 1].1))
            points.append((frame.x(time), frame.y(Double(place + 1) * 100 / Double(times.count))))
        }
        points.append((frame.x(frame.across.upperBound), frame.y(100)))
        let places = points.map { "\(PlotFrame.place($0.0)),\(PlotFrame.place($0.1))" }
        return """
            <polyline class="line series-\(order % 6 + 1)" \
            points="\(places.joined(separator: " "))" />
            """
    }
}
