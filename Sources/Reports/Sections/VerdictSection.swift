import Checks
import RunLog

/// Every rule and its verdict: failed rules first. The rules that held fold to a line.
enum VerdictSection {
    static func body(of model: ReportModel) -> Markup? {
        guard !model.verdicts.isEmpty else { return "<p>There were no rules to judge.</p>" }
        // A recorded server has few rules, and its clients may give none of them evidence.
        if model.beginning.world == .served, model.verdicts.allSatisfy(\.isSilent) { return nil }
        let broken = model.verdicts.filter(\.isFallen)
        // Expectations come before invariants.
        let others = model.verdicts.filter { !$0.isFallen }
        let rest = others.filter { $0.kind != .invariant } + others.filter { $0.kind == .invariant }
        // What failed but is excused, and what the scenario demands to fail, is worth a look.
        let remarkable = rest.filter { $0.answer != .held && !$0.isSilent }
        let held = rest.filter { $0.answer == .held }
        return """
            \(table(of: broken + remarkable, in: model))
            \(folded(held, "held", in: model))
            \(folded(rest.filter(\.isSilent), "had nothing to judge", in: model))
            """
    }

    private static func folded(
        _ verdicts: [Verdict], _ words: String, in model: ReportModel
    ) -> Markup {
        guard !verdicts.isEmpty else { return .nothing }
        let expected = verdicts.count { $0.kind != .invariant }
        let parts = [
            expected == 0 ? "" : expected == 1 ? "1 expectation" : "\(expected) expectations",
            verdicts.filter { $0.kind == .invariant }.map(\.rule).joined(separator: ", "),
        ].filter { !$0.isEmpty }
        let count = verdicts.count == 1 ? "1 rule" : "\(verdicts.count) rules"
        return """
            <details><summary>\(count) \(words): \(parts.joined(separator: " and "))</summary>
            \(table(of: verdicts, in: model))</details>
            """
    }

    private static func table(of verdicts: [Verdict], in model: ReportModel) -> Markup {
        guard !verdicts.isEmpty else { return .nothing }
        return """
            <div class="scroll"><table class="verdicts">
            <thead><tr><th scope="col">Rule</th><th scope="col">What must hold</th>\
            <th scope="col">Answer</th></tr></thead>
            <tbody>\(verdicts.map { row(of: $0, in: model) })</tbody>
            </table></div>
            """
    }

    private static func row(of verdict: Verdict, in model: ReportModel) -> Markup {
        let place: Markup = verdict.place.map { "<br /><small>\($0)</small>" } ?? .nothing
        return """
            <tr><th scope="row">\(name(of: verdict))</th>
            <td>\(verdict.statement)\(place)</td><td>\(answer(of: verdict, in: model))</td></tr>

            """
    }

    /// Returns the rule's name; an expectation's words are already in the next column.
    private static func name(of verdict: Verdict) -> Markup {
        switch verdict.kind {
        case .invariant: "\(verdict.rule)"
        case .expectation: "<small>expected</small>"
        case .sometimes: "<small>sometimes</small>"
        }
    }

    private static func answer(of verdict: Verdict, in model: ReportModel) -> Markup {
        if verdict.kind == .sometimes { return occasion(of: verdict) }
        switch verdict.answer {
        case .held: return "<span class=\"badge green\">✔ held</span>"
        case .notApplicable(let because):
            return """
                <span class="badge grey">– not applicable</span> \
                <span class="because">\(because)</span>
                """
        case .excused(let because, let breach):
            return """
                <span class="badge grey">– excused</span> <span class="because">\(because)</span>
                \(BreachMarkup.markup(of: breach, in: model))
                """
        case .broken(let breach):
            let asked = verdict.rule == model.judgement.mustFail
            let note: Markup = asked ? " <small>as this scenario demands</small>" : .nothing
            return """
                <span class="badge red">✘ BROKEN</span>\(note)
                \(BreachMarkup.markup(of: breach, in: model))
                """
        }
    }

    private static func occasion(of verdict: Verdict) -> Markup {
        verdict.answer == .held
            ? "<span class=\"badge green\">✔ reached</span>"
            : """
            <span class="badge grey">– not reached</span> \
            <span class="because">at least one run of the suite must reach it</span>
            """
    }
}

/// A breach: what was expected, what was seen, and the event.
enum BreachMarkup {
    static func markup(of breach: Breach, in model: ReportModel) -> Markup {
        """
        <dl class="expected"><div><dt>Expected</dt><dd>\(breach.expected)</dd></div>
        <div><dt>Seen</dt><dd>\(breach.seen)</dd></div>
        <div><dt>At</dt><dd>\(breach.at), \(event(of: breach, in: model))</dd></div></dl>
        """
    }

    private static func event(of breach: Breach, in model: ReportModel) -> Markup {
        guard let row = model.events.row(of: breach.event) else {
            return "event \(breach.event) (line \(breach.event + 1) of events.jsonl)"
        }
        return "<a href=\"#event-\(row.event)\">event \(row.event)</a>: \(row.sentence)"
    }
}
