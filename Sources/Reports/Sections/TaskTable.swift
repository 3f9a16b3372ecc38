import Quantities
import RunLog

/// The table of tasks of background sessions.
enum TaskTable {
    static func markup(of rows: [SessionFigures]) -> Markup {
        guard !rows.isEmpty else { return .nothing }
        return ReportTable(
            caption: "Tasks of background sessions",
            columns: [
                "Task", "Direction", "Outcome", "Status", "Payload", "Resumed at", "Delayed for",
                "Took", "Goodput", "Sent again", "Retries", "Resumes", "Time by state",
            ],
            rows: rows.map { cells(of: $0) }, isNumeric: Set([3, 4, 5, 6, 7, 8, 9, 10, 11])
        ).markup
    }

    private static func cells(of row: SessionFigures) -> [String] {
        let task = row.task ?? TaskFigures()
        return [
            row.session.number.description, task.isDownload ? "download" : "upload",
            row.outcome?.sentence ?? "not ended", task.status.map { "\($0)" } ?? "–",
            row.payload.rounded, task.resumedAt?.description ?? "–",
            task.delayedFor?.rounded ?? "–", row.completion?.rounded ?? "–",
            row.goodput?.rounded ?? "–", row.sentAgain.rounded, "\(max(row.attempts, 1) - 1)",
            row.startsOver > 0
                ? "\(row.resumes), \(row.startsOver) from byte 0" : "\(row.resumes)",
            row.times.map { "\($0.state.words) \($0.time.rounded)" }.joined(separator: ", "),
        ]
    }
}
