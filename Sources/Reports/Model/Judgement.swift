package import Checks
package import RunLog

/// Green or red, and why, in one sentence.
package struct Judgement: Hashable, Sendable, Codable {
    package var isGreen: Bool
    package var sentence: String
    /// The rule that a canary scenario wants to see broken: it proves that red can be seen.
    package var mustFail: String?

    /// A live app that ended by itself is a bug, whatever the rules found.
    package init(verdicts: [Verdict], mustFail: String? = nil, ending: RunEnding? = nil) {
        self.mustFail = mustFail
        guard ending != .crashed else {
            isGreen = false
            sentence = RunEnding.crashed.sentence
            return
        }
        switch RunJudgement(verdicts: verdicts, mustFail: mustFail) {
        case .green:
            isGreen = true
            sentence =
                mustFail.map { "\($0) fell, as this scenario demands" } ?? Self.words(for: verdicts)
        case .red(let why):
            isGreen = false
            sentence = why
        }
    }

    /// What was silent is said too: a rule without evidence has not held.
    private static func words(for verdicts: [Verdict]) -> String {
        let held = verdicts.count { $0.answer == .held }
        let excused = verdicts.count { if case .excused = $0.answer { true } else { false } }
        let silent = verdicts.count - held - excused
        guard held > 0 else { return "no rule fell, but none found anything to judge" }
        let forgiven = excused == 0 ? "" : "; \(excused) fell and is excused"
        let rest = silent == 0 ? "" : "; \(silent) had nothing to judge"
        return (held == 1 ? "one rule held" : "\(held) rules held") + forgiven + rest
    }
}
