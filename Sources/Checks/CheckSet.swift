package import RunLog

/// All checks of one run: the invariants, and the scenario's expectations.
package struct CheckSet: RunLogReader, Sendable {
    private var checks: [(kind: Verdict.Kind, check: any Check)]
    private let excuses: [String: String]

    /// Makes the checks of one run; `excuses` maps an excused invariant to its reason.
    package init(
        invariants: [any Check] = InvariantCatalogue.checks(), expectations: [any Check],
        sometimes: [any Check] = [], excuses: [String: String] = [:]
    ) {
        checks =
            invariants.map { (.invariant, $0) } + expectations.map { (.expectation, $0) }
            + sometimes.map { (.sometimes, $0) }
        self.excuses = excuses
    }

    package mutating func read(_ event: RunEvent) {
        for index in checks.indices { checks[index].check.read(event) }
    }

    package mutating func read(packets: UnsafeBufferPointer<PacketRecord>) {
        for index in checks.indices { checks[index].check.read(packets: packets) }
    }

    /// Returns all verdicts, invariants first.
    package func verdicts() -> [Verdict] { checks.map { verdict(of: $0.check, as: $0.kind) } }

    private func verdict(of check: any Check, as kind: Verdict.Kind) -> Verdict {
        var answer = check.verdict()
        if case .broken(let breach) = answer, kind == .invariant, let reason = excuses[check.rule] {
            answer = .excused(because: reason, breach)
        }
        return Verdict(
            rule: check.rule, statement: check.statement, kind: kind, answer: answer,
            place: check.place, subject: answer.isBreach ? check.subject : nil,
            clauses: counts(of: check))
    }

    /// Returns the counts of a check's clauses; `nil` if it has none. An excused rule decides
    /// nothing, because no engine would be caught by it.
    private func counts(of check: any Check) -> [ClauseCount]? {
        let clauses = check.clauses
        guard !clauses.isEmpty, excuses[check.rule] == nil else { return nil }
        return clauses.map { ClauseCount(clause: $0.name, decided: $0.decided) }
    }
}

extension [Verdict] {
    /// The failed invariants and expectations of this run, with their breaches.
    package var ruleBreaches: [(verdict: Verdict, breach: Breach)] {
        compactMap { verdict in
            guard case .broken(let breach) = verdict.answer, verdict.kind != .sometimes else {
                return nil
            }
            return (verdict, breach)
        }
    }
}
