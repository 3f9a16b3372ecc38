/// Whether a run is as its scenario wants it: no check fell, or, of a canary, exactly the one that
/// must.
package enum RunJudgement: Hashable, Sendable {
    case green
    /// Why not, in one sentence.
    case red(String)

    /// `mustFail` names the check that a canary is there to see fall.
    package init(verdicts: [Verdict], mustFail: String?) {
        let fallen = verdicts.filter(\.isFallen).map(\.rule)
        guard let mustFail else {
            self =
                fallen.isEmpty ? .green : .red(Self.sentence(on: verdicts))
            return
        }
        guard let canary = verdicts.first(where: { $0.rule == mustFail }) else {
            self = .red("\(mustFail) must fall, and no check has that name")
            return
        }
        let others = fallen.filter { $0 != mustFail }
        switch canary.answer {
        case .broken:
            self =
                others.isEmpty
                ? .green
                : .red("\(mustFail) fell as it must, but \(Self.list(others)) fell too")
        case .excused(let reason, _):
            self = .red(
                "\(mustFail) must fall, and is excused: \(reason)" + Self.addition(of: others))
        case .held:
            self = .red("\(mustFail) must fall, and held" + Self.addition(of: others))
        case .notApplicable(let reason):
            self = .red(
                "\(mustFail) must fall, and was not applicable: \(reason)"
                    + Self.addition(of: others))
        }
    }

    /// `S3 fell`, `“sessions complete in order” was never judged: no session was accepted`.
    private static func sentence(on verdicts: [Verdict]) -> String {
        let broken = verdicts.filter { $0.isFallen && $0.isBroken }.map(\.rule)
        let unjudged = verdicts.filter(\.isFallen).compactMap { verdict -> String? in
            guard case .notApplicable(let reason) = verdict.answer else { return nil }
            return "“\(verdict.rule)” was never judged: \(reason)"
        }
        return ((broken.isEmpty ? [] : ["\(list(broken)) fell"]) + unjudged).joined(separator: "; ")
    }

    private static func addition(of others: [String]) -> String {
        others.isEmpty ? "" : "; \(list(others)) fell instead"
    }

    /// `S3`, `S3 and L1`, `S1, S3 and L1`.
    private static func list(_ rules: [String]) -> String {
        guard let last = rules.last, rules.count > 1 else { return rules.joined() }
        return rules.dropLast().joined(separator: ", ") + " and " + last
    }
}
