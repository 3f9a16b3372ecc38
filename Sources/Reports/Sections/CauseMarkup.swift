import Quantities

/// What led to a breach, below what was expected and seen.
enum CauseMarkup {
    static func markup(of cause: BreachCause, in model: ReportModel) -> Markup {
        """
        <dl class="expected cause">\(still(cause))\(troubles(of: cause))\
        \(events(before: cause, in: model))</dl>
        """
    }

    /// Returns for how long nothing moved, if it was long.
    private static func still(_ cause: BreachCause) -> Markup {
        guard cause.stillFor >= .seconds(1) else { return .nothing }
        let subject = cause.item ?? "anything"
        let last = cause.lastMovement.map { " since \($0.at): \($0.sentence)" } ?? " from the start"
        return """
            <div><dt>Still</dt><dd>for \(cause.stillFor.rounded) no byte of \(subject) moved\
            \(last)</dd></div>
            """
    }

    private static func troubles(of cause: BreachCause) -> Markup {
        guard !cause.troubles.isEmpty else { return .nothing }
        return """
            <div><dt>In effect</dt><dd>\(cause.troubles.map { trouble -> Markup in
                "<p>\(trouble.words), since \(trouble.since)</p>"
            })</dd></div>
            """
    }

    private static func events(before cause: BreachCause, in model: ReportModel) -> Markup {
        guard !cause.events.isEmpty else { return .nothing }
        let rows = cause.events.map { row -> Markup in
            let time: Markup =
                model.events.row(of: row.event) == nil
                ? "\(row.at)" : "<a href=\"#event-\(row.event)\">\(row.at)</a>"
            return """
                <li><span class="time">\(time)</span> <span>\(row.sentence)</span></li>

                """
        }
        return "<div><dt>Before it</dt><dd><ol class=\"trail\">\(rows)</ol></dd></div>"
    }
}
