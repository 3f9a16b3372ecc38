package import Quantities
package import RunLog
package import RunPlan

/// One cell of the grid that compares the simulator's TCP with the kernel's.
package struct FidelityCell: Hashable, Sendable {
    package let controller: Controller
    package let roundTripMilliseconds: Int64
    package let lossPerMille: Int

    package typealias Controller = BulkFlow.Controller

    package static let rate = Bitrate(bitsPerSecond: 100_000_000)
    package static let patterns = 1...3
    private static let lossesOfPattern = 100
    private static let limit = TimeSpan.seconds(120)

    /// All cells, in the order of the table.
    package static let grid: [FidelityCell] = Controller.allCases.flatMap { controller in
        [0, 1, 10, 30].flatMap { loss in
            [10, 40, 100, 200].map { roundTrip in
                FidelityCell(
                    controller: controller, roundTripMilliseconds: roundTrip, lossPerMille: loss)
            }
        }
    }

    /// Returns the cells with this name, or with these parts of a name (`bbr`, `40ms`, `reno-1%`).
    package static func chosen(by word: String) -> [FidelityCell] {
        let wanted = word.split(separator: "-").map(String.init)
        guard !wanted.isEmpty else { return [] }
        return grid.filter { cell in
            let parts = cell.name.split(separator: "-").map(String.init)
            return wanted.allSatisfy { parts.contains($0) }
        }
    }

    /// `reno-40ms-0.1%`
    package var name: String { "\(controller.rawValue)-\(roundTripMilliseconds)ms-\(lossWord)%" }

    package var lossWord: String {
        let (whole, tenth) = lossPerMille.quotientAndRemainder(dividingBy: 10)
        return tenth == 0 ? "\(whole)" : "\(whole).\(tenth)"
    }

    package var roundTrip: TimeSpan { .milliseconds(roundTripMilliseconds) }

    /// The goodput by formulas, in bits per second, as a second opinion.
    package var theory: Double {
        let chance = loss ?? .never
        let packets = BulkFlow(controller, roundTrip: roundTrip)
            .packetsPerSecond(at: Self.rate, losing: chance)
        return packets * BulkFlow.payload * 8 * (1 - chance.fraction)
    }

    private var loss: Probability? { Probability(percent: Double(lossPerMille) / 10) }

    /// Returns the flow that both worlds play; patterns count from 1.
    package func plan(pattern: Int) -> BulkFlowPlan {
        BulkFlowPlan(
            rate: Self.rate, roundTrip: roundTrip, losses: losses(pattern: pattern),
            limit: Self.limit)
    }

    /// Draws independent losses. They depend on the loss rate and the pattern only, so they are the
    /// same for every round trip and controller, and in both worlds.
    private func losses(pattern: Int) -> [UInt64] {
        guard let chance = loss, lossPerMille > 0 else { return [] }
        var random = RandomStream(seed: UInt64(pattern), name: "fidelity/\(lossWord) %")
        var losses: [UInt64] = []
        var packet: UInt64 = 0
        while losses.count < Self.lossesOfPattern {
            if chance.draw(from: &random) { losses.append(packet) }
            packet += 1
        }
        return losses
    }
}
