import Quantities
import RunLog

/// The links and flows of a run over time, for its charts. Only runs with a page pay for it.
struct SeriesBook: Sendable {
    /// The number of links and of flows that are drawn.
    static let drawn = 6
    /// The number of steps of a link or a flow. With six flows, `run.json` stays small.
    static let stepLimit = 300

    private var links: [LinkSeriesBook] = []
    private var flows = FlowSeriesBooks()

    mutating func read(_ fact: RunEvent.Fact, at now: Instant) {
        if case .link(.shared(_, let terms)) = fact { flows.shares(terms) }
        flows.read(fact, at: now)
    }

    mutating func read(packets batch: UnsafeBufferPointer<PacketRecord>) {
        for record in batch {
            flows.read(record)
            guard record.kind != .captured else { continue }
            while links.count <= Int(record.link) { links.append(LinkSeriesBook()) }
            links[Int(record.link)].read(record)
        }
    }

    mutating func read(windows: [CongestionWindow]) {
        for window in windows { flows.read(window) }
    }

    /// Adds the links and the flows to the series of a run that ended at a moment.
    func fill(_ series: inout RunSeries, naming name: (UInt16) -> String, until end: Instant) {
        let used = links.indices.filter { links[$0].sentBytes > 0 }
        if !used.isEmpty {
            let busiest = used.sorted { (links[$0].sentBytes, $1) > (links[$1].sentBytes, $0) }
            series.links = busiest.prefix(Self.drawn).sorted().map { link in
                links[link].series(of: UInt16(link), name(UInt16(link)), until: end)
            }
            series.linksLeftOut = max(0, used.count - Self.drawn)
        }
        if flows.count > 0 {
            series.flows = flows.busiest(Self.drawn)
            series.flowsLeftOut = flows.count - (series.flows?.count ?? 0)
        }
    }
}
