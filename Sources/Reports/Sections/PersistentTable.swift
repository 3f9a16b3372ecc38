import Quantities
import RunLog

/// The table of persistent sessions and the fates of their files.
enum PersistentTable {
    static func markup(of rows: [SessionFigures]) -> Markup {
        guard !rows.isEmpty else { return .nothing }
        return ReportTable(
            caption: "Persistent sessions",
            columns: [
                "Session", "Outcome", "Files added", "Arrived", "Given up", "Payload", "Attempts",
                "Time by state",
            ],
            rows: rows.map(cells), isNumeric: Set(2...6)
        ).markup
    }

    private static func cells(of row: SessionFigures) -> [String] {
        let paths = row.paths ?? PathFigures()
        return [
            row.session.number.description, row.outcome?.sentence ?? "not ended",
            "\(paths.added)", "\(paths.arrived)", "\(paths.givenUp)", row.payload.rounded,
            "\(row.attempts)",
            row.times.map { "\($0.state.words) \($0.time.rounded)" }.joined(separator: ", "),
        ]
    }
}
