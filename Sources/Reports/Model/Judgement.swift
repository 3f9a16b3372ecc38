package import Checks

/// Green or red, and why, in one sentence.
package struct Judgement: Hashable, Sendable, Codable {
    package var isGreen: Bool
    package var sentence: String
    /// The rule that a canary scenario wants to see broken: it proves that red can be seen.
    package var mustFail: String?

    /// A run is green when something was judged and nothing fell; a canary when exactly its rule fell.
    package init(verdicts: [Verdict], mustFail: String? = nil) {
        self.mustFail = mustFail
        let broken = verdicts.filter(\.isBroken).map(\.rule)
        let held = verdicts.count { $0.answer == .held }
        if let mustFail {
            isGreen = broken == [mustFail]
            sentence = Self.canarySentence(for: mustFail, broken: broken, verdicts: verdicts)
        } else if broken.isEmpty {
            isGreen = held > 0
            sentence = Self.heldSentence(held: held, of: verdicts.count)
        } else {
            isGreen = false
            let rules = broken.joined(separator: ", ")
            sentence = broken.count == 1 ? "\(rules) is broken" : "\(rules) are broken"
        }
    }

    private static func heldSentence(held: Int, of count: Int) -> String {
        guard held > 0 else { return "no rule found anything to judge, so nothing is proven" }
        let silent = count - held
        let rest = silent == 0 ? "" : "; \(silent) had nothing to judge"
        return held == 1 ? "the one rule held\(rest)" : "all \(held) rules held\(rest)"
    }

    private static func canarySentence(
        for rule: String, broken: [String], verdicts: [Verdict]
    ) -> String {
        if broken == [rule] { return "\(rule) is broken, as this scenario demands" }
        let others = broken.filter { $0 != rule }.joined(separator: ", ")
        if !others.isEmpty {
            return "only \(rule) was to be broken, but \(others) fell"
                + (broken.contains(rule) ? " too" : " instead")
        }
        guard verdicts.contains(where: { $0.rule == rule }) else {
            return "\(rule) was to be broken, but no such rule was judged"
        }
        return "\(rule) was to be broken, but was not"
    }
}
