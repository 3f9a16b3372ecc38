import Checks

/// The events of the report, in sentences.
enum EventSection {
    static func body(of model: ReportModel) -> Markup? {
        let events = model.events
        let breaches = brokenEvents(of: model)
        return """
            <details\(model.judgement.isGreen ? .nothing : " open=\"open\"" as Markup)>
            <summary>\(events.rows.count) events\(leftOut(of: events))</summary>
            \(tools(for: events))
            <div class="scroll"><table class="events" id="event-rows">
            <thead><tr><th scope="col" class="number">Event</th>\
            <th scope="col" class="number">Time</th><th scope="col">Subject</th>\
            <th scope="col">What happened</th></tr></thead>
            <tbody>\(events.rows.map { row(of: $0, rules: breaches[$0.event] ?? []) })</tbody>
            </table></div></details>
            """
    }

    private static func row(of event: EventExcerpt.Row, rules: [String]) -> Markup {
        let state: Markup = rules.isEmpty ? .nothing : " class=\"broken\""
        let badge: Markup =
            rules.isEmpty
            ? .nothing
            : " <span class=\"badge red\">✘ fails \(rules.joined(separator: ", "))</span>"
        return """
            <tr id="event-\(event.event)"\(state)><td class="number">\(event.event)</td>\
            <td class="number">\(event.at)</td><td>\(event.subject)</td>\
            <td>\(event.sentence)\(badge)</td></tr>

            """
    }

    /// Returns the controls for JavaScript, which shows them.
    private static func tools(for events: EventExcerpt) -> Markup {
        let subjects = Set(events.rows.map(\.subject)).sorted()
        return """
            <form class="tools" id="event-tools" hidden="hidden">
            <label>Search <input type="search" name="words" /></label>
            <label>Subject <select name="subject"><option value="">any</option>\
            \(subjects.map { "<option>\($0)</option>" as Markup })</select></label>
            <output role="status"></output>
            </form>
            """
    }

    private static func leftOut(of events: EventExcerpt) -> String {
        var words = ""
        if events.leftOut > 0 { words += "; \(events.leftOut) in the middle are left out" }
        if events.frequent > 0 {
            words += "; \(events.frequent) progress callbacks and packet marks are in events.jsonl"
        }
        return words
    }

    private static func brokenEvents(of model: ReportModel) -> [Int: [String]] {
        var rules: [Int: [String]] = [:]
        for (verdict, breach) in model.verdicts.ruleBreaches {
            rules[breach.event, default: []].append(verdict.rule)
        }
        return rules
    }
}
