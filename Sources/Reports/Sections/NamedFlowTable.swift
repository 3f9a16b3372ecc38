import Quantities

/// The table of the flows that the scenario measures.
enum NamedFlowTable {
    static func markup(of rows: [NamedFlowFigures]) -> Markup {
        let hasLengths = rows.contains { $0.completed != nil }
        return ReportTable(
            caption: "Flows",
            columns: [
                "Flow", "Link", "Number", "From", "To", "Came through", "Goodput", "Share",
                "Sent again", "Round trip", "Queueing", "Dropped",
            ] + (hasLengths ? ["Completed", "Took"] : []),
            rows: rows.map { row in
                [
                    row.name, row.link, "\(row.count)", row.from.sinceStart.rounded,
                    row.until.sinceStart.rounded, row.acknowledged.rounded,
                    row.goodput?.rounded ?? "–",
                    row.share.map { "\($0 / 10).\($0 % 10) %" } ?? "–", row.sentAgain.rounded,
                    words(row.roundTrip, row.longestRoundTrip),
                    words(row.queueing, row.longestQueueing), "\(row.droppedPackets)",
                ]
                    + (hasLengths
                        ? [
                            row.completed.map { "\($0)" } ?? "–",
                            words(row.completion, row.longestCompletion),
                        ] : [])
            }, isNumeric: [2, 3, 4, 5, 6, 7, 8, 11, 12]
        ).markup
    }

    private static func words(_ mean: TimeSpan?, _ longest: TimeSpan?) -> String {
        guard let mean, let longest else { return "–" }
        return mean == longest ? mean.rounded : "\(mean.rounded), at most \(longest.rounded)"
    }
}
