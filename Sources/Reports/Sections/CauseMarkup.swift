import Quantities

/// What led to a breach, below what was expected and seen.
enum CauseMarkup {
    static func markup(of cause: BreachCause, in model: ReportModel) -> Markup {
        let why = cause.why.map { ($0.event, $0.at, $0.words) }
        let events = cause.events.map { ($0.event, $0.at, $0.sentence) }
        return """
            <dl class="expected cause">\(trail("Why", why, model))\
            \(trail("Before it", events, model))</dl>
            """
    }

    private static func trail(
        _ name: String, _ moments: [(event: Int, at: Instant, words: String)],
        _ model: ReportModel
    ) -> Markup {
        guard !moments.isEmpty else { return .nothing }
        let rows = moments.map { moment -> Markup in
            let time: Markup =
                model.events.row(of: moment.event) == nil
                ? "\(moment.at)" : "<a href=\"#event-\(moment.event)\">\(moment.at)</a>"
            return """
                <li><span class="time">\(time)</span> <span>\(moment.words)</span></li>

                """
        }
        return "<div><dt>\(name)</dt><dd><ol class=\"trail\">\(rows)</ol></dd></div>"
    }
}
