import LinkModels
package import Quantities
package import RunLog
package import RunPlan

/// One cell of the grid that compares the simulator's TCP with the kernel's.
package struct FidelityCell: Hashable, Sendable {
    package let controller: Controller
    package let roundTripMilliseconds: Int64
    package let lossPerMille: Int
    package var rateMegabits: UInt64 = 100
    /// The uplink's uniform jitter.
    package var jitterMilliseconds: Int64 = 0
    /// The queue's limit, in percent of one bandwidth-delay product. If it is another than 100, it
    /// differs by one from pattern to pattern, and this is the middle: where one packet more or
    /// less decides, five equal runs would show one side only.
    package var queuePercent: UInt64 = 100
    package var buffers = BulkFlowPlan.Buffers.ample
    package var writes = TCPSettings.Writes.nonBlocking
    /// Whether the uplink carries nothing for some seconds in the middle.
    package var hasOutage = false
    /// The rate of others' packets on the uplink, in percent of its own; they come and go.
    package var othersPercent: UInt64 = 0
    /// Whether the flow is an upload whose server answers.
    package var converses = false
    /// Whether a second flow with the same controller shares the link.
    package var hasRival = false
    /// The duration; without one, a flow ends with its hundredth loss, or after two minutes.
    package var seconds: Int64?

    package typealias Controller = BulkFlow.Controller

    private static let lossesOfPattern = 100
    private static let longestSeconds: Int64 = 120
    private static let packetBits: UInt64 = 12_000

    /// All cells, in the order of the table.
    package static let grid: [FidelityCell] = Controller.allCases.flatMap { controller in
        [0, 1, 10, 30].flatMap { loss in
            [10, 40, 100, 200].map { roundTrip in
                FidelityCell(
                    controller: controller, roundTripMilliseconds: roundTrip, lossPerMille: loss)
            }
        } + unsteady(controller)
    }

    /// Cells with jitter, with a queue or buffers of another size, with losses over a fixed time,
    /// with an outage, with packets of others, with answers, and with a second flow.
    private static func unsteady(_ controller: Controller) -> [FidelityCell] {
        let plain = FidelityCell(
            controller: controller, roundTripMilliseconds: 100, lossPerMille: 0, rateMegabits: 20,
            seconds: 20)
        let jittery = [10, 20, 50].map { plain.with(\.jitterMilliseconds, $0) }
        let near = FidelityCell(
            controller: controller, roundTripMilliseconds: 60, lossPerMille: 0, rateMegabits: 40,
            jitterMilliseconds: 50, seconds: 20)
        let queues: [FidelityCell] = [25, 400].map { plain.with(\.queuePercent, $0) }
        let lossy = FidelityCell(
            controller: controller, roundTripMilliseconds: 100, lossPerMille: 10, rateMegabits: 20,
            seconds: 30)
        let usual = plain.with(\.rateMegabits, 100).with(\.buffers, .usual)
        let shared: [FidelityCell] = [30, 60].map { plain.with(\.othersPercent, $0) }
        return jittery + [near] + queues + [lossy, usual, usual.with(\.writes, .blocking)]
            + [plain.with(\.hasOutage, true)] + shared
            + [plain.with(\.converses, true), plain.with(\.hasRival, true)]
            + [plain.with(\.converses, true).with(\.hasRival, true)]
    }

    private func with<Value>(
        _ path: WritableKeyPath<FidelityCell, Value>, _ value: Value
    ) -> FidelityCell {
        var cell = self
        cell[keyPath: path] = value
        return cell
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

    /// `reno-40ms-0.1%`, and what is unusual: `cubic-100ms-0%-20M-jitter50ms-20s`.
    package var name: String {
        var parts = [controller.rawValue, "\(roundTripMilliseconds)ms", "\(lossWord)%"]
        if rateMegabits != 100 { parts.append("\(rateMegabits)M") }
        if jitterMilliseconds > 0 { parts.append("jitter\(jitterMilliseconds)ms") }
        if queuePercent != 100 { parts.append("queue\(queuePercent)%") }
        if buffers == .usual { parts.append("buffers") }
        if writes == .blocking { parts.append("blocking") }
        if hasOutage { parts.append("outage") }
        if othersPercent > 0 { parts.append("others\(othersPercent)%") }
        if converses { parts.append("conversing") }
        if hasRival { parts.append("rival") }
        if let seconds { parts.append("\(seconds)s") }
        return parts.joined(separator: "-")
    }

    package var lossWord: String {
        let (whole, tenth) = lossPerMille.quotientAndRemainder(dividingBy: 10)
        return tenth == 0 ? "\(whole)" : "\(whole).\(tenth)"
    }

    /// The numbers of its runs. Some flows of a fixed time go one of two ways by chance, so they
    /// have more.
    package var patterns: ClosedRange<Int> { seconds == nil ? 1...3 : 1...5 }

    package var roundTrip: TimeSpan { .milliseconds(roundTripMilliseconds) }
    package var rate: Bitrate { Bitrate(bitsPerSecond: rateMegabits * 1_000_000) }

    /// The goodput by formulas, in bits per second, as a second opinion.
    package var theory: Double {
        let chance = loss ?? .never
        let packets = BulkFlow(controller, roundTrip: roundTrip)
            .packetsPerSecond(at: rate, losing: chance)
        return packets * BulkFlow.payload * 8 * (1 - chance.fraction)
    }

    private var loss: Probability? { Probability(percent: Double(lossPerMille) / 10) }

    /// Returns the flow that both worlds play; patterns count from 1.
    package func plan(pattern: Int) -> BulkFlowPlan {
        BulkFlowPlan(
            rate: rate, roundTrip: roundTrip, jitter: .milliseconds(jitterMilliseconds),
            queuePercent: queuePercent(pattern: pattern), losses: losses(pattern: pattern),
            limit: .seconds(seconds ?? Self.longestSeconds), buffers: buffers,
            writes: writes, outage: hasOutage ? Self.outage : nil, others: others,
            conversation: converses ? .inPieces : nil,
            rivalBegin: hasRival ? Self.rivalStep * Int64(pattern) : nil, seed: UInt64(pattern))
    }

    private func queuePercent(pattern: Int) -> UInt64 {
        guard queuePercent != 100 else { return queuePercent }
        let middle = (patterns.lowerBound + patterns.upperBound) / 2
        return queuePercent + UInt64(pattern) - UInt64(middle)
    }

    /// Each pattern's rival begins this much later than that of the pattern before.
    private static let rivalStep = TimeSpan.milliseconds(100)
    private static let outage = BulkFlowPlan.Outage(from: .seconds(8), to: .seconds(11))

    /// Others that send for about two seconds and pause for one.
    private var others: TrafficSource.Plan? {
        guard othersPercent > 0 else { return nil }
        return TrafficSource.Plan(
            rate: Bitrate(bitsPerSecond: rate.bitsPerSecond * othersPercent / 100),
            bursts: .init(on: .seconds(2), off: .seconds(1), lengths: .exponential))
    }

    /// Draws independent losses. They depend on the loss rate and the pattern only, so they are the
    /// same for every round trip and controller, and in both worlds. A flow of a fixed time has
    /// more of them than it can meet.
    private func losses(pattern: Int) -> [UInt64] {
        guard let chance = loss, lossPerMille > 0 else { return [] }
        var random = RandomStream(seed: UInt64(pattern), name: "fidelity/\(lossWord) %")
        let packets = seconds.map { rate.bitsPerSecond * UInt64($0) / Self.packetBits } ?? 0
        var losses: [UInt64] = []
        var packet: UInt64 = 0
        while losses.count < Self.lossesOfPattern || (losses.last ?? 0) <= packets {
            if chance.draw(from: &random) { losses.append(packet) }
            packet += 1
        }
        return losses
    }
}
