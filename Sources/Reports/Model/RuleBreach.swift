package import Checks
package import Quantities

/// A failed rule with everything that a person needs to find the cause.
package struct RuleBreach: Hashable, Sendable, Codable {
    package var rule: String
    package var statement: String
    package var expected: String
    package var seen: String
    /// Why it failed, as lines with their times; `nil` if the log does not tell.
    package var because: [String]?
    package var at: Instant
    /// The index of the event in the log, and its sentence, if the report has it.
    package var event: Int
    package var sentence: String?
    /// The place in the scenario file; `nil` for an invariant.
    package var place: String?

    package init(_ verdict: Verdict, _ breach: Breach, in model: ReportModel) {
        rule = verdict.rule
        statement = verdict.statement
        expected = breach.expected
        seen = breach.seen
        let why = model.causes?.first { $0.rule == verdict.rule }?.why ?? []
        because = why.isEmpty ? nil : why.map { "\($0.at): \($0.words)" }
        at = breach.at
        event = breach.event
        sentence = model.events.row(of: breach.event)?.sentence
        place = verdict.place
    }

    /// Returns the breaches of a run, without the one that a canary must show.
    package static func all(in model: ReportModel) -> [RuleBreach] {
        model.verdicts.ruleBreaches
            .filter { $0.verdict.rule != model.judgement.mustFail }
            .map { RuleBreach($0.verdict, $0.breach, in: model) }
    }

    /// The rule and its statement; an expectation's rule is already its statement.
    package var title: String { place == nil ? "\(rule): \(statement)" : rule }

    /// `5.12 s, event 86: an append to /tus/1 begins at 3 MB`
    package var occasion: String {
        "\(at), event \(event)" + (sentence.map { ": \($0)" } ?? "")
    }
}
