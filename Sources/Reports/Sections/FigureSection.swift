import Quantities
import RunLog

/// The numbers of a run: sessions, links, captures and connections.
enum FigureSection {
    static func body(of model: ReportModel) -> Markup? {
        let figures = model.figures
        let names = model.beginning.names ?? RunNames()
        if figures.service != nil {
            return figures.captures.isEmpty ? nil : captures(figures.captures)
        }
        return """
            <div class="pair">\(SessionTables.markup(of: figures))
            \(NamedFlowTable.markup(of: figures.flows ?? []))
            \(links(figures.links))\(shares(figures.shares))\(captures(figures.captures))</div>
            \(note)
            \(InterfaceTable.markup(of: figures.interfaces ?? [], names))
            \(connections(figures, names))
            <p class="note">\(totals(of: figures))</p>
            """
    }

    private static func totals(of figures: Figures) -> String {
        let counts = [
            (figures.launches, "launch", "launches"), (figures.kills, "kill", "kills"),
            (figures.requests, "request", "requests"), (figures.refusals, "refusal", "refusals"),
            (figures.publications, "publication", "publications"),
            (figures.durableChanges, "durable change of the store", "durable changes of the store"),
        ]
        return counts.map { "\($0.0) \($0.0 == 1 ? $0.1 : $0.2)" }.joined(separator: ", ") + "."
    }

    private static let note: Markup = """
        <p class="note">“No faster than” is the time of the payload alone at the rate of \
        the fastest uplink, without request heads, packet headers, handshakes and round trips; no \
        transfer quite reaches it. “Took” is counted from the session's first activation to its \
        completion, interruptions included; “completes within” in a scenario is counted from the \
        run's start. “Sent again” counts body bytes by their place in the file; \
        TCP's retransmissions are in the table of links.</p>
        """

    private static func links(_ rows: [LinkFigures]) -> Markup {
        ReportTable(
            caption: "Links",
            columns: [
                "Link", "Configured", "Sent", "Delivered", "Dropped", "In flight", "Retransmitted",
                "Use", "On its way",
            ],
            rows: rows.map { row in
                [
                    row.name, promise(of: row.terms), row.count.sent.words,
                    delivered(row.count), row.count.dropped.words, row.count.inFlight.words,
                    row.retransmitted.words,
                    row.use.map { percent($0) } ?? "–", words(row.transit),
                ]
            }, isNumeric: Set(2...7)
        ).markup
    }

    private static func delivered(_ count: LinkCount) -> String {
        count.delivered.words + (count.marked.map { ", \($0.packets) marked" } ?? "")
    }

    private static func words(_ transit: TransitFigures?) -> String {
        guard let transit else { return "–" }
        return "\(transit.median.rounded) median, \(transit.percentile99.rounded) for 99 %, "
            + "\(transit.longest.rounded) longest"
    }

    private static func promise(of terms: LinkTerms?) -> String {
        guard let terms else { return "unknown" }
        let loss = terms.loss == .never ? "no\u{00A0}loss" : "\(terms.loss) loss"
        let least = terms.hasConstantDelay ? "" : "at least "
        return "\(terms.rate), \(least)\(terms.delay), \(loss)"
    }

    private static func shares(_ rows: [ShareFigures]) -> Markup {
        ReportTable(
            caption: "Other traffic on the links, also counted in the links' rows",
            columns: ["Link", "Flow", "What", "Sent", "Delivered", "Dropped", "Rate"],
            rows: rows.map {
                [
                    $0.link, "\($0.flow)", $0.what, $0.sent.words, $0.delivered.words,
                    $0.dropped.words, $0.rate?.rounded ?? "–",
                ]
            }, isNumeric: Set(3...6)
        ).markup
    }

    private static func captures(_ rows: [CaptureFigures]) -> Markup {
        ReportTable(
            caption: "Capture", columns: ["Direction", "Packets", "Bytes", "Retransmitted"],
            rows: rows.map {
                [
                    $0.name, "\($0.captured.packets)", ByteCount($0.captured.bytes).rounded,
                    $0.retransmitted.words,
                ]
            }, isNumeric: [1, 2, 3]
        ).markup
    }

    private static func connections(_ figures: Figures, _ names: RunNames) -> Markup {
        guard !figures.connections.isEmpty else { return .nothing }
        let hasChoice = figures.connections.contains { $0.interface != nil }
        let table = ReportTable(
            caption: "Connections",
            columns: [
                "Connection", "Peer", "Opened", "Handshake", "Of which TLS", "Ended", "Why",
                "Transmitted", "Requests", "Last status",
            ] + (hasChoice ? ["Over"] : []),
            rows: figures.connections.map { row in
                [
                    "\(row.connection.launch).\(row.connection.number)", row.peer,
                    row.openedAt.description,
                    row.establishedAt.map { ($0 - row.openedAt).rounded } ?? "–",
                    secured(row), row.endedAt?.description ?? "–", row.why?.sentence ?? "open",
                    row.transmitted?.rounded ?? "–", "\(row.requests)",
                    row.lastStatus.map { "\($0)" } ?? "–",
                ] + (hasChoice ? [way(of: row, in: figures, names)] : [])
            }, isNumeric: [2, 3, 4, 5, 7, 8, 9], uprightLimit: 0)
        guard figures.connectionsLeftOut > 0 else { return table.markup }
        return """
            \(table.markup)
            <p class="note">\(figures.connectionsLeftOut) more connections are left out.</p>
            """
    }

    /// Returns the interface's name; the log mentions it only if there are several.
    private static func way(
        of row: ConnectionFigures, in figures: Figures, _ names: RunNames
    ) -> String {
        guard let number = row.interface else { return "–" }
        let interface = figures.interfaces?.first { $0.interface == number }
        return interface?.title(names) ?? "interface \(number)"
    }

    private static func secured(_ row: ConnectionFigures) -> String {
        guard let security = row.security else { return "none" }
        guard let from = row.reachedAt, let until = row.establishedAt else { return security }
        return "\(security), \((until - from).rounded)"
    }

    private static func percent(_ share: Double) -> String {
        "\(Double(Int(share * 1_000 + 0.5)) / 10) %"
    }
}

extension LinkCount.Tally {
    var words: String { packets == 0 ? "0" : "\(packets) · \(ByteCount(bytes).rounded)" }
}

extension Timeline.State {
    var words: String {
        switch self {
        case .alive: "alive"
        case .background: "in the background"
        case .suspended: "suspended"
        case .waiting: "waiting"
        case .running: "running"
        case .retrying: "waiting to retry"
        case .interrupted: "interrupted"
        case .connecting: "connecting"
        case .connected: "connected"
        case .receiving: "receiving bytes"
        case .faulty: "fault on"
        }
    }
}
