import Facts
import Foundation

/// A figure by which a cell is compared.
package enum FidelityFigure: CaseIterable, Hashable, Sendable {
    case goodput, drops, peakFlight, slowStart, retransmissions, timeouts

    var name: String {
        switch self {
        case .goodput: "goodput"
        case .drops: "drops"
        case .peakFlight: "peak flight"
        case .slowStart: "slow start"
        case .retransmissions: "sent again"
        case .timeouts: "timeouts"
        }
    }

    /// The name with a capital letter and a unit, as the head of a column.
    var head: String {
        switch self {
        case .goodput: "Goodput, Mbit/s"
        case .drops: "Drops"
        case .peakFlight: "Peak flight, kB"
        case .slowStart: "Slow start, s"
        case .retransmissions: "Sent again"
        case .timeouts: "Timeouts"
        }
    }

    /// Returns the figure of a flow; `nil` if it is not known.
    func value(of flow: FlowFigures) -> Double? {
        switch self {
        case .goodput: Double(flow.goodputBitsPerSecond) / 1e6
        case .drops: Double(flow.queueDrops)
        case .peakFlight: flow.peakFlightBytes.map { Double($0) / 1e3 }
        case .slowStart: flow.slowStartSeconds
        case .retransmissions: Double(flow.retransmissions)
        case .timeouts: Double(flow.timeouts)
        }
    }

    func words(_ value: Double) -> String {
        switch self {
        case .goodput: String(format: value < 10 ? "%.2f" : "%.1f", value)
        case .slowStart: String(format: "%.1f", value)
        case .drops, .peakFlight, .retransmissions, .timeouts: String(format: "%.0f", value)
        }
    }

    /// The share by which the simulator may differ from the kernel; `nil` if the figure is only
    /// shown.
    func tolerance(_ controller: FidelityCell.Controller) -> Double? {
        switch (self, controller) {
        case (.goodput, .reno), (.goodput, .cubic): 0.10
        case (.goodput, .bbr): 0.20
        case (.drops, .reno), (.drops, .cubic), (.peakFlight, .reno), (.peakFlight, .cubic): 0.25
        case (.drops, .bbr), (.peakFlight, .bbr), (.slowStart, _), (.retransmissions, _),
            (.timeouts, _):
            nil
        }
    }
}

/// A figure of all flows of a cell, rising, in both worlds.
struct ComparedFigure {
    let kernel: [Double]
    let simulated: [Double]

    init(_ figure: FidelityFigure, kernel: [FlowFigures], simulated: [FlowFigures]) {
        self.kernel = kernel.compactMap(figure.value).sorted()
        self.simulated = simulated.compactMap(figure.value).sorted()
    }

    /// Simulated over measured.
    var ratio: Double? {
        guard let measured = Self.median(kernel), let simulated = Self.median(simulated),
            measured > 0
        else { return nil }
        return simulated / measured
    }

    /// Whether the simulator's median is inside the kernel's span, or as near to its median.
    func isNear(_ tolerance: Double) -> Bool {
        guard let low = kernel.first, let high = kernel.last,
            let simulated = Self.median(simulated)
        else { return false }
        if (low...high).contains(simulated) { return true }
        return ratio.map { abs($0 - 1) <= tolerance } ?? false
    }

    static func median(_ sorted: [Double]) -> Double? {
        sorted.isEmpty ? nil : sorted[(sorted.count - 1) / 2]
    }
}
