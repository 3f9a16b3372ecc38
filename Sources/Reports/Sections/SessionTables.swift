import Quantities
import RunLog

/// The tables of sessions, upload operations, resumable transfers and tasks.
enum SessionTables {
    static func markup(of figures: Figures) -> Markup {
        guard !figures.sessions.isEmpty else {
            return figures.flows == nil
                ? "<p>No session was accepted into the queue.</p>\n" : .nothing
        }
        return """
            \(table(figures.queued, caption: "Sessions", of: "Session"))
            \(persistent(figures.persistent))
            \(table(figures.operations, caption: "Upload operations", of: "Operation"))
            \(table(figures.transfers, caption: "Resumable transfers", of: "Transfer"))
            \(tasks(figures.tasks))
            """
    }

    private static func table(
        _ rows: [SessionFigures], caption: String, of kind: String
    ) -> Markup {
        ReportTable(
            caption: caption,
            columns: [
                kind, "Outcome", "Payload", "Waited", "Took", "No faster than", "Goodput",
                "Sent again", "Attempts", "Resumes", "Time by state",
            ],
            rows: rows.map { row in
                [
                    "\(row.session.number)", row.outcomeWords + row.skippedWords,
                    row.payload.rounded, row.waited?.rounded ?? "–",
                    row.completion?.rounded ?? "–", row.floor?.rounded ?? "–",
                    row.goodput?.rounded ?? "–", row.sentAgain.rounded, "\(row.attempts)",
                    row.resumeWords, row.timeWords,
                ]
            }, isNumeric: Set(2...9)
        ).markup
    }

    private static func persistent(_ rows: [SessionFigures]) -> Markup {
        ReportTable(
            caption: "Persistent sessions",
            columns: [
                "Session", "Outcome", "Files added", "Arrived", "Given up", "Payload", "Attempts",
                "Time by state",
            ],
            rows: rows.map { row in
                let paths = row.paths ?? PathFigures()
                return [
                    "\(row.session.number)", row.outcomeWords, "\(paths.added)",
                    "\(paths.arrived)", "\(paths.givenUp)", row.payload.rounded,
                    "\(row.attempts)", row.timeWords,
                ]
            }, isNumeric: Set(2...6)
        ).markup
    }

    private static func tasks(_ rows: [SessionFigures]) -> Markup {
        ReportTable(
            caption: "Tasks of background sessions",
            columns: [
                "Task", "Direction", "Outcome", "Status", "Payload", "Resumed at", "Delayed for",
                "Took", "Goodput", "Sent again", "Retries", "Resumes", "Time by state",
            ],
            rows: rows.map { row in
                let task = row.task ?? TaskFigures()
                return [
                    "\(row.session.number)", task.isDownload ? "download" : "upload",
                    row.outcomeWords, task.status.map { "\($0)" } ?? "–", row.payload.rounded,
                    task.resumedAt?.description ?? "–", task.delayedFor?.rounded ?? "–",
                    row.completion?.rounded ?? "–", row.goodput?.rounded ?? "–",
                    row.sentAgain.rounded, "\(max(row.attempts, 1) - 1)", row.resumeWords,
                    row.timeWords,
                ]
            }, isNumeric: Set(3...11)
        ).markup
    }
}

extension SessionFigures {
    fileprivate var outcomeWords: String { outcome?.sentence ?? "not ended" }

    fileprivate var skippedWords: String {
        filesSkipped.map { $0 == 1 ? ", 1 file skipped" : ", \($0) files skipped" } ?? ""
    }

    fileprivate var resumeWords: String {
        startsOver > 0 ? "\(resumes), \(startsOver) from byte 0" : "\(resumes)"
    }

    fileprivate var timeWords: String {
        times.map { "\($0.state.words) \($0.time.rounded)" }.joined(separator: ", ")
    }
}
