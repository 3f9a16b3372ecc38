/// Goodput against queueing delay for each congestion controller: the best one is at the top left.
enum DelayDrawing {
    private static let axis = "controller"
    private static let drawingLimit = 48

    static func markup(for report: PerformanceReport) -> Markup {
        let plots = report.matrices.flatMap(plots)
        guard !plots.isEmpty else { return .nothing }
        let left = plots.count - min(plots.count, drawingLimit)
        let rest: Markup =
            left == 0 ? .nothing : "<p class=\"note\">\(left) more are not drawn.</p>\n"
        let sides = report.isComparison ? " Dashed crosses are A, the others B." : ""
        return """
            <section aria-label="Goodput against delay"><h2>Goodput against delay</h2>
            <p class="note">A good controller is at the top left: much goodput, and little time in \
            the queue of the uplink. Each cross is at the medians of a controller, and reaches \
            from the 25th to the 75th percentile.\(sides)</p>
            <div class="plots">\(plots.prefix(drawingLimit).map(drawing))</div>
            \(rest)</section>

            """
    }

    private struct Plot {
        var title: String
        var crosses: [Cross]
    }

    private struct Cross {
        var name: String
        var order: Int
        var isBefore: Bool
        var delay: Spread
        var goodput: Spread

        init?(_ name: String, order: Int, isBefore: Bool, _ entries: [SuiteEntry]) {
            guard let delay = Spread(entries.compactMap(PerformanceFigure.queueing.value)),
                let goodput = Spread(entries.compactMap(PerformanceFigure.goodput.value))
            else { return nil }
            self.name = name
            self.order = order
            self.isBefore = isBefore
            self.delay = delay
            self.goodput = goodput
        }

        var words: String {
            let goodput = PerformanceFigure.goodput.words(goodput.median)
            let delay = PerformanceFigure.queueing.words(delay.median)
            return "\(isBefore ? "A, " : "")\(name): \(goodput) at \(delay)"
        }
    }

    /// Returns a drawing for each combination of the other axes.
    private static func plots(of file: [PerformanceCase]) -> [Plot] {
        let cases = file.filter { $0.axes.contains { $0.name == axis } }
        var names: [String] = []
        var plots: [Plot] = []
        for one in cases {
            guard let name = one.axes.first(where: { $0.name == axis })?.value else { continue }
            if !names.contains(name) { names.append(name) }
            let others = one.axes.filter { $0.name != axis }.map { "\($0.name) \($0.value)" }
            let title = ([one.fileTitle] + others).joined(separator: ", ")
            let order = names.firstIndex(of: name) ?? 0
            let crosses = [
                Cross(name, order: order, isBefore: true, one.before),
                Cross(name, order: order, isBefore: false, one.after),
            ].compactMap(\.self)
            if let place = plots.firstIndex(where: { $0.title == title }) {
                plots[place].crosses += crosses
            } else {
                plots.append(Plot(title: title, crosses: crosses))
            }
        }
        return plots.filter { $0.crosses.count > 1 }
    }

    private static func drawing(_ plot: Plot) -> Markup {
        let delays = plot.crosses.flatMap { [$0.delay.percentile25, $0.delay.percentile75] }
        let rates = plot.crosses.flatMap { [$0.goodput.percentile25, $0.goodput.percentile75] }
        let frame = PlotFrame(
            across: 0...PlotFrame.range(of: delays).upperBound, up: PlotFrame.range(of: rates),
            acrossTitle: "queueing delay, median", acrossWords: PerformanceFigure.queueing.words,
            upWords: PerformanceFigure.goodput.words)
        return """
            <figure><figcaption><strong>\(plot.title)</strong></figcaption>
            \(frame.drawing(
                plot.title, plot.crosses.map(\.words).joined(separator: "; "),
                "\(plot.crosses.map { drawing($0, in: frame) })"))</figure>

            """
    }

    private static func drawing(_ cross: Cross, in frame: PlotFrame) -> Markup {
        let (x, y) = (frame.x(cross.delay.median), frame.y(cross.goodput.median))
        let (left, right) = (frame.x(cross.delay.percentile25), frame.x(cross.delay.percentile75))
        let (low, high) = (
            frame.y(cross.goodput.percentile25), frame.y(cross.goodput.percentile75)
        )
        let style: Markup =
            "series-\(cross.order % 6 + 1)\(cross.isBefore ? " before" : .nothing as Markup)"
        return """
            <g class="cross"><title>\(cross.words)</title>\
            \(line(style, left, y, right, y))\(line(style, x, low, x, high))\
            <circle class="line \(style)" cx="\(PlotFrame.place(x))" cy="\(PlotFrame.place(y))" \
            r="5" />\(cross.isBefore ? .nothing : label(cross.name, x, y))</g>
            """
    }

    private static func label(_ name: String, _ x: Double, _ y: Double) -> Markup {
        let isRight = x > PlotFrame.width * 0.7
        return """
            <text class="halo" x="\(PlotFrame.place(isRight ? x - 10 : x + 10))" \
            y="\(PlotFrame.place(y))" dy="-6" \
            text-anchor="\(isRight ? "end" : "start")">\(name)</text>
            """
    }

    private static func line(
        _ style: Markup, _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double
    ) -> Markup {
        """
        <line class="line \(style)" x1="\(PlotFrame.place(x1))" y1="\(PlotFrame.place(y1))" \
        x2="\(PlotFrame.place(x2))" y2="\(PlotFrame.place(y2))" />
        """
    }
}
