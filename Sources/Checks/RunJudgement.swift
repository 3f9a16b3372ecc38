/// Whether a run is green: no check failed, or, for a canary, only the check that must fail.
package enum RunJudgement: Hashable, Sendable {
    case green
    /// The reason, in one sentence.
    case red(String)

    /// Judges the verdicts; `mustFail` names the check that must fail in a canary.
    package init(verdicts: [Verdict], mustFail: String?) {
        let fallen = verdicts.filter(\.isFallen).map(\.rule)
        guard let mustFail else {
            self = fallen.isEmpty ? .green : .red(Self.sentence(on: verdicts))
            return
        }
        guard let canary = verdicts.first(where: { $0.rule == mustFail }) else {
            self = .red("\(mustFail) must fail, but no check has that name")
            return
        }
        let others = fallen.filter { $0 != mustFail }
        let instead = others.isEmpty ? "" : "; \(Self.list(others)) failed instead"
        self =
            switch canary.answer {
            case .broken where others.isEmpty: .green
            case .broken:
                .red("\(mustFail) failed as it must, but \(Self.list(others)) failed, too")
            case .excused(let reason, _):
                .red("\(mustFail) must fail, but is excused: \(reason)\(instead)")
            case .held: .red("\(mustFail) must fail, but held\(instead)")
            case .notApplicable(let reason):
                .red("\(mustFail) must fail, but was not applicable: \(reason)\(instead)")
            }
    }

    /// Returns the reason in words, such as `S3 failed`.
    private static func sentence(on verdicts: [Verdict]) -> String {
        let broken = verdicts.filter { $0.isFallen && $0.isBroken }.map(\.rule)
        let unjudged = verdicts.filter(\.isFallen).compactMap { verdict -> String? in
            guard case .notApplicable(let reason) = verdict.answer else { return nil }
            return "“\(verdict.rule)” was never judged: \(reason)"
        }
        return ((broken.isEmpty ? [] : ["\(list(broken)) failed"]) + unjudged).joined(
            separator: "; ")
    }

    /// Returns a list in words, such as `S1, S3 and L1`.
    private static func list(_ rules: [String]) -> String {
        guard let last = rules.last, rules.count > 1 else { return rules.joined() }
        return rules.dropLast().joined(separator: ", ") + " and " + last
    }
}
