package import Checks
package import Quantities

/// A broken rule with all that a person needs to look into it, in plain words.
package struct RuleBreach: Hashable, Sendable, Codable {
    package var rule: String
    package var statement: String
    package var expected: String
    package var seen: String
    package var at: Instant
    /// The index of the event in the log, and what the event says, where the report has it.
    package var event: Int
    package var sentence: String?
    /// Where the scenario file asks for it; invariants stand in no file.
    package var place: String?

    package init(_ verdict: Verdict, _ breach: Breach, in events: EventExcerpt) {
        rule = verdict.rule
        statement = verdict.statement
        expected = breach.expected
        seen = breach.seen
        at = breach.at
        event = breach.event
        sentence = events.row(of: breach.event)?.sentence
        place = verdict.place
    }

    /// The breaches of a run but the one that a canary is there to show.
    package static func all(in model: ReportModel) -> [RuleBreach] {
        model.verdicts.ruleBreaches
            .filter { $0.verdict.rule != model.judgement.mustFail }
            .map { RuleBreach($0.verdict, $0.breach, in: model.events) }
    }

    /// An expectation is named by its own words; saying them twice would help nobody.
    package var title: String { place == nil ? "\(rule): \(statement)" : rule }

    /// `5.12 s, event 86: an append to /tus/1 begins at 3 MB`
    package var occasion: String {
        "\(at), event \(event)" + (sentence.map { ": \($0)" } ?? "")
    }
}
