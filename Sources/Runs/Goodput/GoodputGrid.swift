import Checks
import Foundation
import LinkModels
import Protocols
package import Quantities
import RunLog
import RunPlan

/// What one flow gets through in a minute, beginning included: the paced transport beside TCP, by
/// round trip and loss.
///
/// The line carries 100 Mbit/s and has a queue of one bandwidth-delay product. Packets are lost
/// independently of each other, before the queue. Each figure is the median over five seeds.
package struct GoodputGrid: Hashable, Sendable {
    /// The goodput of each cell, in the order of `cells`.
    private let goodputs: [Bitrate]

    package enum Transport: String, Hashable, Sendable, CaseIterable {
        case paced, newReno, cubic, bbr

        var title: String {
            switch self {
            case .paced: "paced, fair"
            case .newReno: "TCP NewReno"
            case .cubic: "TCP CUBIC"
            case .bbr: "TCP BBR"
            }
        }

        fileprivate var controller: TCPSettings.Controller? {
            switch self {
            case .paced: nil
            case .newReno: .newReno
            case .cubic: .cubic
            case .bbr: .bbr
            }
        }
    }

    package struct Cell: Hashable, Sendable {
        package var transport: Transport
        package var roundTrip: TimeSpan
        /// In thousandths.
        package var loss: UInt64

        package init(_ transport: Transport, roundTrip: TimeSpan, loss: UInt64) {
            self.transport = transport
            self.roundTrip = roundTrip
            self.loss = loss
        }

        fileprivate var name: String {
            "\(transport.title), \(roundTrip), \(GoodputGrid.percent(loss))"
        }
    }

    package static let roundTrips = [10, 50, 100, 200, 550].map { TimeSpan.milliseconds($0) }
    package static let losses: [UInt64] = [0, 1, 10, 50, 100]
    package static let cells = roundTrips.flatMap { roundTrip in
        Transport.allCases.flatMap { transport in
            losses.map { Cell(transport, roundTrip: roundTrip, loss: $0) }
        }
    }
    private static let seeds: ClosedRange<UInt64> = 1...5
    private static let rate = Bitrate(bitsPerSecond: 100_000_000)
    private static let time = TimeSpan.seconds(60)

    /// Plays all cells.
    package static func played() throws(RunFailure) -> GoodputGrid {
        let goodputs = try RunWorkers.products(
            count: cells.count, jobs: ProcessInfo.processInfo.activeProcessorCount,
            label: { cells[$0].name },
            play: { place throws(RunFailure) in goodput(of: cells[place]) })
        return GoodputGrid(goodputs: goodputs)
    }

    /// Returns the median goodput of a cell.
    package static func goodput(of cell: Cell) -> Bitrate {
        let all = seeds.map { goodput(of: cell, seed: $0) }.sorted()
        return all[all.count / 2]
    }

    private static func goodput(of cell: Cell, seed: UInt64) -> Bitrate {
        var group = FlowGroup(.uplink, count: 1)
        group.name = "flow"
        group.until = time
        if let controller = cell.transport.controller {
            group.controller = controller
        } else {
            group.paced = PacedSettings(policy: .fair)
        }
        var tcp = TCPSettings()
        // Windows of TCP must not be what limits it.
        tcp.receiveWindow = ByteCount(40 << 20)
        tcp.sendBuffer = ByteCount(64 << 20)
        var transfer = BulkTransfer(
            uplink: link("uplink", of: cell, losing: cell.loss),
            downlink: link("downlink", of: cell, losing: 0), tcp: tcp,
            others: CrossTraffic(flows: [group]), seed: seed)
        var ledger = FlowLedger()
        _ = transfer.play(until: .start + time, into: &ledger)
        transfer.close(into: &ledger)
        let lowest = Bitrate(bitsPerSecond: 1)
        return ledger.goodput(of: "flow", until: .start + time) ?? lowest
    }

    private static func link(_ name: String, of cell: Cell, losing loss: UInt64) -> LinkPlan {
        let microseconds = UInt64(cell.roundTrip.nanoseconds / 1_000)
        let chance = Probability(percent: Double(loss) / 10) ?? .never
        return LinkPlan(
            name: name, filters: loss == 0 ? [] : [.independentLoss(chance)],
            delay: TimeSpan(nanoseconds: cell.roundTrip.nanoseconds / 2),
            bottleneck: BottleneckPlan(
                rate: rate,
                queue: .dropTail(
                    limit: ByteCount(rate.bitsPerSecond / 8 * microseconds / 1_000_000))))
    }

    // MARK: The bar

    /// The least share of what the line carries that the paced transport must reach.
    private static let bar = 0.97

    /// What the line carries of content, less what is lost, in bits per second.
    private static func capacity(losing loss: UInt64) -> Double {
        let content = PacedFormat.usualPacket - PacedFormat.headers
        let share = Double(content) / Double(PacedFormat.usualPacket)
        return Double(rate.bitsPerSecond) * share * (1 - Double(loss) / 1_000)
    }

    /// The least share of it that the paced transport has reached in any cell.
    private var leastShare: Double {
        zip(Self.cells, goodputs).filter { $0.0.transport == .paced }.map { cell, goodput in
            Double(goodput.bitsPerSecond) / Self.capacity(losing: cell.loss)
        }.min() ?? 0
    }

    package var holds: Bool { leastShare >= Self.bar }

    package var summary: String {
        "The paced transport gets at least \(Self.rounded(leastShare * 100)) % of what the line "
            + "carries of content, less what is lost (the bar: \(Int(Self.bar * 100)) %)."
    }

    // MARK: The table

    package var table: String {
        let head = ["round trip", "transport"] + Self.losses.map { Self.percent($0) }
        let rows = Self.roundTrips.flatMap { roundTrip in
            Transport.allCases.map { transport in
                let place = transport == .paced ? "\(roundTrip)" : ""
                return [place, transport.title]
                    + Self.losses.map { self[Cell(transport, roundTrip: roundTrip, loss: $0)] }
            }
        }
        let lines = [head, ["---", "---"] + Self.losses.map { _ in "---:" }] + rows
        return lines.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
    }

    /// The text of a cell, in Mbit/s.
    private subscript(cell: Cell) -> String {
        let place = Self.cells.firstIndex(of: cell).map { goodputs[$0] }
        return place.map { Self.text(of: $0) } ?? ""
    }

    package static func text(of goodput: Bitrate) -> String {
        rounded(Double(goodput.bitsPerSecond) / 1e6)
    }

    /// Three digits, and no more than one behind the point of a large number.
    private static func rounded(_ value: Double) -> String {
        String(format: value < 1 ? "%.3f" : value < 10 ? "%.2f" : "%.1f", value)
    }

    private static func percent(_ thousandths: UInt64) -> String {
        thousandths.isMultiple(of: 10)
            ? "\(thousandths / 10) %" : "\(thousandths / 10).\(thousandths % 10) %"
    }
}
