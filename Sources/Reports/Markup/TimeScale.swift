import Foundation
import Quantities

/// Positions of moments in a drawing, as percentages of its width, so that it fits any screen.
struct TimeScale {
    let length: TimeSpan

    init(length: TimeSpan) { self.length = max(length, .milliseconds(1)) }

    func share(of moment: Instant) -> Double {
        min(1, max(0, Double(moment.nanoseconds) / Double(length.nanoseconds)))
    }

    /// The length in seconds, for scripts.
    var seconds: String { "\(length.seconds)" }

    func percent(_ moment: Instant) -> String { Self.percent(share(of: moment)) }

    func width(from: Instant, to: Instant) -> String {
        Self.percent(share(of: to) - share(of: from))
    }

    /// Four to seven round moments, including the start.
    var ticks: [TimeSpan] {
        let step = Self.roundStep(for: length.nanoseconds / 4)
        return stride(from: 0, through: length.nanoseconds, by: Int(step)).map {
            TimeSpan(nanoseconds: $0)
        }
    }

    /// Returns the grid lines and labels of the ticks, between these heights.
    func axis(top: Int, bottom: Int) -> [Markup] {
        ticks.map { tick in
            let share = share(of: Instant.start + tick)
            let x = Self.percent(share)
            let anchor: Markup = share < 0.04 ? "start" : share > 0.95 ? "end" : "middle"
            return """
                <line class="grid" x1="\(x)" x2="\(x)" y1="\(top)" y2="\(bottom)" />\
                <text class="tick" x="\(x)" y="\(bottom + 16)" text-anchor="\(anchor)">\
                \(tick == .zero ? "0" : tick.rounded)</text>
                """
        }
    }

    static func percent(_ share: Double) -> String { String(format: "%.3f%%", share * 100) }

    /// Returns a round step: minutes and hours from half a minute up, decimal below.
    static func roundStep(for limit: Int64) -> Int64 {
        let minute: Int64 = 60_000_000_000
        let clock: [Int64] = [1, 2, 5, 10, 15, 30, 60, 120, 360, 720, 1_440].map { $0 * minute }
        let day: Int64 = 1_440 * minute
        if limit >= 2 * day { return day * roundDecimal(for: Double(limit / day)) }
        if let step = clock.last(where: { $0 <= limit }) { return step }
        if limit >= minute / 2 { return minute / 2 }
        return roundDecimal(for: Double(limit))
    }

    /// Returns the largest of 1, 2, 5 × 10ⁿ up to the limit, but at least 1.
    static func roundDecimal(for limit: Double) -> Int64 {
        var step = 1.0
        while step * 10 <= limit { step *= 10 }
        return Int64(step * (limit >= step * 5 ? 5 : limit >= step * 2 ? 2 : 1))
    }
}
