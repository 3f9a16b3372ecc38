import Foundation

/// The frame of a small drawing with times in nanoseconds across: axes with round ticks, and the
/// way from values to places.
struct PlotFrame {
    var across: ClosedRange<Double>
    var up: ClosedRange<Double>
    var acrossTitle: String
    var acrossWords: (Double) -> String
    var upWords: (Double) -> String

    static let width = 400.0
    static let height = 240.0
    private static let left = 70.0
    private static let right = 388.0
    private static let top = 12.0
    private static let bottom = 190.0

    func x(_ value: Double) -> Double {
        Self.left + Self.share(of: value, in: across) * (Self.right - Self.left)
    }

    func y(_ value: Double) -> Double {
        Self.bottom - Self.share(of: value, in: up) * (Self.bottom - Self.top)
    }

    private static func share(of value: Double, in range: ClosedRange<Double>) -> Double {
        (value - range.lowerBound) / (range.upperBound - range.lowerBound)
    }

    /// Returns a range with some room on both sides, never below 0 and never empty.
    static func range(of values: [Double]) -> ClosedRange<Double> {
        let (least, most) = (values.min() ?? 0, values.max() ?? 1)
        let room = max((most - least) * 0.06, most * 0.01, 1)
        return max(0, least - room)...(most + room)
    }

    /// Returns the drawing with what is in it.
    func drawing(_ title: String, _ description: String, _ content: Markup) -> Markup {
        """
        <svg class="plot" role="img" viewBox="0 0 \(Self.place(Self.width)) \
        \(Self.place(Self.height))" aria-label="\(title). \(description)">
        \(timeTicks.map(vertical))\(valueTicks.map(horizontal))
        <text class="tick" x="\(Self.place((Self.left + Self.right) / 2))" y="232" \
        text-anchor="middle">\(acrossTitle)</text>
        \(content)
        </svg>
        """
    }

    private func vertical(_ value: Double) -> Markup {
        let x = Self.place(x(value))
        return """
            <line class="grid" x1="\(x)" x2="\(x)" y1="\(Self.place(Self.top))" \
            y2="\(Self.place(Self.bottom))" />\
            <text class="tick" x="\(x)" y="208" text-anchor="middle">\(acrossWords(value))</text>
            """
    }

    private func horizontal(_ value: Double) -> Markup {
        let y = Self.place(y(value))
        return """
            <line class="grid" x1="\(Self.place(Self.left))" x2="\(Self.place(Self.right))" \
            y1="\(y)" y2="\(y)" />\
            <text class="tick" x="\(Self.place(Self.left - 6))" y="\(y)" dy="4" \
            text-anchor="end">\(upWords(value))</text>
            """
    }

    private var timeTicks: [Double] {
        let width = across.upperBound - across.lowerBound
        return Self.ticks(in: across, every: Double(TimeScale.roundStep(for: Int64(width / 2.5))))
    }

    private var valueTicks: [Double] {
        // Steps below one unit do not occur: units are bits per second and per cents.
        let width = up.upperBound - up.lowerBound
        return Self.ticks(in: up, every: Double(TimeScale.roundDecimal(for: width / 2.5)))
    }

    private static func ticks(in range: ClosedRange<Double>, every step: Double) -> [Double] {
        let first = (range.lowerBound / step).rounded(.up) * step
        return Array(stride(from: first, through: range.upperBound, by: step))
    }

    static func place(_ value: Double) -> String { String(format: "%.1f", value) }
}
