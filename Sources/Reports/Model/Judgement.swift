package import Checks
package import RunLog

/// Green or red, and why, in one sentence.
package struct Judgement: Hashable, Sendable, Codable {
    package var isGreen: Bool
    package var sentence: String
    /// The check that must fail in a canary, to prove that it can fail.
    package var mustFail: String?

    /// Judges a run; a live app that ended by itself makes it red, whatever the verdicts are.
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
                mustFail.map { "\($0) failed, as this scenario demands" }
                ?? Self.words(for: verdicts)
        case .red(let why):
            isGreen = false
            sentence = why
        }
    }

    /// Judges a run that a trap has ended: red, without a verdict.
    package init(trap sentence: String) {
        isGreen = false
        self.sentence = sentence
    }

    /// Returns the verdicts in words, including rules that had nothing to judge.
    private static func words(for verdicts: [Verdict]) -> String {
        let held = verdicts.count { $0.answer == .held }
        let excused = verdicts.count { if case .excused = $0.answer { true } else { false } }
        let silent = verdicts.count - held - excused
        guard held > 0 else { return "no rule failed, but no rule had anything to judge" }
        let forgiven = excused == 0 ? "" : "; \(excused) failed but excused"
        let rest = silent == 0 ? "" : "; \(silent) had nothing to judge"
        return (held == 1 ? "one rule held" : "\(held) rules held") + forgiven + rest
    }
}
