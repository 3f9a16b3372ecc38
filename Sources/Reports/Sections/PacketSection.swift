import RunLog

/// The fate of each link's packets, and where to see the packets.
enum PacketSection {
    static func body(of model: ReportModel) -> Markup? {
        let links = model.figures.links.filter { $0.count.sent.packets > 0 }
        let files = model.captureFiles ?? []
        guard !links.isEmpty || !files.isEmpty else { return nil }
        return """
            \(table(of: links))
            \(files.isEmpty ? wayToCapture(of: model) : list(of: files, of: model))
            """
    }

    private static func table(of links: [LinkFigures]) -> Markup {
        ReportTable(
            caption: "By link",
            columns: [
                "Link", "Sent", "Duplicated", "Delivered", "Lost on the way", "Too large",
                "Dropped by queue or policer", "In flight", "Retransmitted", "Duplicate ACKs",
            ],
            rows: links.map { row in
                let drops = row.count.drops
                let counts = [
                    row.count.sent.packets, row.count.duplicated.packets,
                    row.count.delivered.packets,
                    (drops?.lost ?? 0) + (drops?.whileDown ?? 0), drops?.tooLarge ?? 0,
                    (drops?.byQueue ?? 0) + (drops?.policed ?? 0), row.count.inFlight.packets,
                    row.retransmitted.packets,
                    row.duplicateAcknowledgements ?? 0,
                ]
                return [row.name] + counts.map { "\($0)" }
            }, isNumeric: Set(1...9)
        ).markup
    }

    private static func list(
        of files: [ReportModel.CaptureFile], of model: ReportModel
    ) -> Markup {
        """
        <ul>\(files.map {
            "<li><a href=\"\($0.name)\">\($0.name)</a>: every packet as seen at \($0.place)</li>"
        })</ul>
        \(wayToExplain(model))
        """
    }

    /// Returns the command that explains packets; only a simulated run has one.
    private static func wayToExplain(_ model: ReportModel) -> Markup {
        guard model.beginning.world == .simulated else { return .nothing }
        return """
            <p class="note">If Wireshark misjudges a frame, <code>./lab packets</code> with \
            this run's folder tells what it really was.</p>
            """
    }

    /// Returns the command that plays a simulated run again and keeps its packets.
    private static func wayToCapture(of model: ReportModel) -> Markup {
        guard model.beginning.world == .simulated else { return .nothing }
        return """
            <p class="note">The packets themselves were not kept. To play the same run with a \
            capture file: <code>\(model.beginning.command) --packets</code></p>
            """
    }
}
