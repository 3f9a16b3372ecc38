import Foundation
import Quantities

/// Lines over time: a static SVG, and the same data for the chart library. The library replaces the
/// picture with a zoomable chart.
struct LineChart {
    /// The unit of the values, as the script and the drawing write it.
    enum Unit: String {
        case bitsPerSecond = "bit/s"
        case bytes = "B"
        case seconds = "s"
        case packets

        /// The smallest value that is told from zero.
        var grain: Double { self == .seconds ? 1e-9 : 1 }
    }

    /// How a line is drawn. The script knows the same names.
    enum Look: String {
        /// Solid or dashed in turns.
        case plain
        case solid, dashed
        /// A dashed line from point to point, even in a chart of steps.
        case slope
        /// Points without a line.
        case dots
    }

    struct Line {
        var name: String
        /// The points in order of time.
        var points: [Point]
        /// The points of the static picture, if the data has more than it can show.
        var outline: [Point]
        var look = Look.plain
        /// The number of the line's colour; `nil` for the next one.
        var colour: Int?
    }

    struct Point {
        var at: Instant
        var value: Double
    }

    struct Reference {
        var name: String
        var value: Double
        var isTheory = false

        var style: Markup { isTheory ? "reference theory" : "reference" }
    }

    var id: String
    var title: String
    /// Whether the title stands above the chart; a chart alone has that of its section.
    var isTitled = false
    var description: String
    var unit: Unit
    /// Whether a value holds until the next one: between them nothing is known.
    var isStepped = true
    var scale: TimeScale
    var lines: [Line]
    var references: [Reference] = []

    private static let plotHeight = 200
    private static let top = 18

    var markup: Markup {
        """
        <figure class="chart" data-chart="\(id)-data" data-seconds="\(scale.seconds)">
        <figcaption>\(heading)\(legend)</figcaption>
        <div class="live" aria-hidden="true"></div>
        <svg class="still" role="img" aria-labelledby="\(id)-name \(id)-words" width="100%" \
        height="\(Self.top + Self.plotHeight + 24)">
        <title id="\(id)-name">\(title)</title><desc id="\(id)-words">\(description)</desc>
        \(grid)
        <svg x="0" y="\(Self.top)" width="100%" height="\(Self.plotHeight)" \
        viewBox="0 0 1000 1000" preserveAspectRatio="none" overflow="visible">
        \(lines.indices.map { drawn($0) })
        </svg>
        \(labels)
        </svg>
        <script type="application/json" id="\(id)-data">\(data)</script>
        </figure>
        """
    }

    private var greatest: Double {
        let values = lines.flatMap { $0.outline.map(\.value) } + references.map(\.value)
        return max(unit.grain, (values.max() ?? 1) * 1.04)
    }

    private var heading: Markup { isTitled ? "<h3>\(title)</h3>" : .nothing }

    private var legend: Markup {
        let names = lines.enumerated().map { order, line in
            legend(of: line.name, drawn: style(of: order), isDot: line.look == .dots)
        }
        let promises = references.map { legend(of: $0.name, drawn: $0.style) }
        return "<ul class=\"legend\">\(names)\(promises)</ul>"
    }

    private func style(of order: Int) -> Markup {
        "line series-\(colour(of: order)) \(lines[order].look.rawValue)"
    }

    private func colour(of order: Int) -> Int { (lines[order].colour ?? order) % 6 + 1 }

    private func legend(of name: String, drawn style: Markup, isDot: Bool = false) -> Markup {
        let (from, to) = isDot ? (13, 13) : (1, 25)
        return """
            <li><svg class="swatch" width="26" height="12" aria-hidden="true">\
            <line class="\(style)" x1="\(from)" x2="\(to)" y1="6" y2="6" /></svg> \
            <span>\(name)</span></li>
            """
    }

    private var valueTicks: [Double] {
        let step =
            Double(TimeScale.roundDecimal(for: greatest / unit.grain / 3)) * unit.grain
        return Array(stride(from: step, to: greatest, by: step))
    }

    private func y(_ value: Double) -> String {
        String(
            format: "%.1f",
            Double(Self.top + Self.plotHeight) - share(value) * Double(Self.plotHeight))
    }

    private func share(_ value: Double) -> Double { min(1, value / greatest) }

    private var grid: Markup {
        let bottom = Self.top + Self.plotHeight
        let levels = valueTicks.map { level(at: $0, "grid") }
        let promises = references.map { level(at: $0.value, $0.style) }
        return """
            \(levels)\(scale.axis(top: Self.top, bottom: bottom))\(promises)
            <line class="axis" x1="0" x2="100%" y1="\(bottom)" y2="\(bottom)" />
            """
    }

    private func level(at value: Double, _ style: Markup) -> Markup {
        "<line class=\"\(style)\" x1=\"0\" x2=\"100%\" y1=\"\(y(value))\" y2=\"\(y(value))\" />"
    }

    /// The labels of the values, with a halo so that they stay readable on the lines.
    private var labels: [Markup] {
        valueTicks.map { value in
            """
            <text class="tick halo" x="0" y="\(y(value))" dy="-4">\(words(for: value))</text>
            """
        }
    }

    private func words(for value: Double) -> String {
        switch unit {
        case .bitsPerSecond: Bitrate(bitsPerSecond: max(1, UInt64(value))).rounded
        case .bytes: ByteCount(UInt64(value)).rounded
        case .seconds: TimeSpan(nanoseconds: Int64((value * 1e9).rounded())).rounded
        case .packets: UInt64(value) == 1 ? "1 packet" : "\(UInt64(value)) packets"
        }
    }

    private func drawn(_ order: Int) -> Markup {
        let line = lines[order]
        let greatest = greatest
        guard line.look != .dots else { return dots(of: order, below: greatest) }
        var points: [String] = []
        var level: String?
        for point in line.outline {
            let (x, y) = place(of: point, below: greatest)
            if isStepped, line.look != .slope, let level, level != y {
                points.append("\(x),\(level)")
            }
            points.append("\(x),\(y)")
            level = y
        }
        return """
            <polyline class="\(style(of: order))" \
            points="\(points.joined(separator: " "))" vector-effect="non-scaling-stroke" />

            """
    }

    /// Draws lines without a length. Their round ends are round at any width of the page.
    private func dots(of order: Int, below greatest: Double) -> Markup {
        let moves = lines[order].outline.map { point in
            let (x, y) = place(of: point, below: greatest)
            return "M\(x) \(y)h0"
        }
        return """
            <path class="\(style(of: order))" d="\(moves.joined())" \
            vector-effect="non-scaling-stroke" />

            """
    }

    private func place(of point: Point, below greatest: Double) -> (x: String, y: String) {
        let (x, height) = (scale.share(of: point.at), min(1, point.value / greatest))
        return (Self.decimal(x * 1_000), Self.decimal(1_000 - height * 1_000))
    }

    /// Returns a number with one decimal. A page has thousands, and `String(format:)` is slow.
    private static func decimal(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    private struct ChartData: Encodable {
        var title: String
        var unit: String
        var isStepped: Bool
        /// Whether the area below the line has a meaning: rates add up to bytes.
        var isFilled: Bool
        var labels: [String]
        var looks: [String]
        var colours: [Int]
        var seconds: Double
        var greatest: Double
        var references: [Level]

        struct Level: Encodable {
            var value: Double
            var isTheory: Bool
        }
    }

    /// The data as JSON for a script element. It contains no `<`, so that no name can end the
    /// element.
    private var data: Markup {
        let content = ChartData(
            title: title, unit: unit.rawValue, isStepped: isStepped,
            isFilled: unit == .bitsPerSecond, labels: lines.map(\.name),
            looks: lines.map(\.look.rawValue), colours: lines.indices.map(colour),
            seconds: scale.length.seconds, greatest: greatest,
            references: references.map { .init(value: $0.value, isTheory: $0.isTheory) })
        let fields = RunJSON.text(content, pretty: false).dropLast()
        return Markup(verbatim: "\(fields),\"rows\":[\(rows)]}")
    }

    /// Rows of JSON with the time in seconds, and the value of each line that has one. A page has
    /// tens of thousands of numbers, and `JSONEncoder` is slow.
    private var rows: String {
        var points: [(at: Instant, line: Int, value: Double)] = []
        for (order, line) in lines.enumerated() {
            points += line.points.map { ($0.at, order, $0.value) }
        }
        points.sort { ($0.at, $0.line) < ($1.at, $1.line) }
        var text = ""
        var values = [Double?](repeating: nil, count: lines.count)
        for (index, point) in points.enumerated() {
            values[point.line] = point.value
            let next = points.dropFirst(index + 1).first
            let isLast = next?.at.seconds != point.at.seconds || values[next?.line ?? 0] != nil
            guard isLast else { continue }
            text += text.isEmpty ? "[" : ",["
            text += Self.json(point.at.seconds)
            for place in values.indices {
                text += ","
                text += values[place].map(Self.json) ?? "null"
                values[place] = nil
            }
            text += "]"
        }
        return text
    }

    private static func json(_ number: Double) -> String {
        precondition(number.isFinite, "a chart has the value \(number)")
        let text = number.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

extension [LineChart.Reference] {
    /// Returns one reference for each value that is not far above what was measured.
    func worthDrawing(beside greatest: Double) -> Self {
        enumerated().filter { order, one in
            one.value < greatest * 2.5 && !self[..<order].contains { $0.value == one.value }
        }.map(\.element)
    }
}
