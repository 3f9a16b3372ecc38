package import Quantities
import RunLog

/// The figures of a run that only comparisons need: what it cost, and how long its packets waited.
package struct PerformanceFigures: Hashable, Sendable, Codable {
    /// The time of the payload alone at the rate of the fastest link in its direction; `nil` if
    /// several phones send at once.
    package var floor: TimeSpan?
    /// The packets over each interface, both ways, headers included.
    package var interfaces: [InterfaceBytes]
    /// The time that the radios were on, tails included.
    package var radioOn: TimeSpan?
    package var millijoules: UInt64?
    /// The time on the busiest uplink beyond its shortest delay.
    package var queueing: QueueingDelay?
    /// Jain's index over the goodputs of all items, if they have one size and ran at the same
    /// time: 1 is fair.
    package var fairness: Double?
    /// The goodput of the flows that the scenario measures.
    package var flows: [FlowGoodput]?

    package struct FlowGoodput: Hashable, Sendable, Codable {
        package var name: String
        package var goodput: Bitrate
    }

    package struct InterfaceBytes: Hashable, Sendable, Codable {
        package var name: String
        package var bytes: ByteCount
    }

    package struct QueueingDelay: Hashable, Sendable, Codable {
        package var median: TimeSpan
        package var percentile95: TimeSpan
    }

    init(_ model: ReportModel) {
        let figures = model.figures
        let names = model.beginning.names ?? .init()
        interfaces = Self.interfaces(of: figures) { $0.title(names) }
        let radios = (figures.interfaces ?? []).compactMap(\.radio)
        if !radios.isEmpty {
            radioOn = radios.reduce(.zero) { $0 + $1.on }
            millijoules = radios.reduce(0) { $0 + $1.millijoules }
        }
        queueing = Self.queueing(on: figures.links)
        flows = figures.flows?.compactMap { flow in
            flow.goodput.map { FlowGoodput(name: flow.name, goodput: $0) }
        }
        if names.phones.isEmpty {
            floor = Self.floor(of: figures.sessions)
            fairness = Self.fairness(of: figures.sessions)
        }
    }

    private static func interfaces(
        of figures: Figures, title: (InterfaceFigures) -> String
    ) -> [InterfaceBytes] {
        if let interfaces = figures.interfaces, !interfaces.isEmpty {
            return interfaces.map {
                InterfaceBytes(
                    name: title($0), bytes: ByteCount($0.sent.bytes + $0.received.bytes))
            }
        }
        let bytes = figures.links.reduce(UInt64(0)) {
            $0 + ($1.isUplink ? $1.count.sent.bytes : $1.count.delivered.bytes)
        }
        return bytes == 0 ? [] : [InterfaceBytes(name: "the link", bytes: ByteCount(bytes))]
    }

    private static func queueing(on links: [LinkFigures]) -> QueueingDelay? {
        let uplinks = links.filter { $0.isUplink && $0.transit != nil }
        guard let link = uplinks.max(by: { $0.count.sent.packets < $1.count.sent.packets }),
            let transit = link.transit, let terms = link.terms, terms.hasConstantDelay
        else { return nil }
        // Percentiles of transit times are up to 1.6 % too low.
        return QueueingDelay(
            median: max(.zero, transit.median - terms.delay),
            percentile95: max(.zero, transit.percentile95 - terms.delay))
    }

    /// Uploads and downloads can overlap, so the slower direction counts.
    private static func floor(of sessions: [SessionFigures]) -> TimeSpan? {
        let floors = [false, true].map { isDownload in
            sessions.filter { $0.isDownload == isDownload && !$0.isRefused }
                .compactMap(\.floor).reduce(.zero, +)
        }
        return floors.max().flatMap { $0 > .zero ? $0 : nil }
    }

    private static func fairness(of sessions: [SessionFigures]) -> Double? {
        guard sessions.count > 1, Set(sessions.map(\.isDownload)).count == 1,
            Set(sessions.map(\.payload)).count == 1,
            let lastStart = sessions.compactMap(\.firstRunningAt).max(),
            let firstEnd = sessions.compactMap(\.endedAt).min(), lastStart < firstEnd
        else { return nil }
        let rates = sessions.compactMap(\.goodput).map { Double($0.bitsPerSecond) }
        guard rates.count == sessions.count else { return nil }
        let sum = rates.reduce(0, +)
        return sum * sum / (Double(rates.count) * rates.reduce(0) { $0 + $1 * $1 })
    }
}

extension LinkFigures {
    fileprivate var isUplink: Bool { name.hasSuffix("uplink") }
}
