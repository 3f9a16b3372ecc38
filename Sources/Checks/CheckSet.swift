package import RunLog

/// All checks of one run: the invariants, and the scenario's expectations.
package struct CheckSet: RunLogReader, Sendable {
    private var invariants: [any Check]
    private var expectations: [any Check]
    private var sometimes: [any Check]
    private let excuses: [String: String]

    /// Makes the checks of one run; `excuses` maps an excused invariant to its reason.
    package init(
        invariants: [any Check] = InvariantCatalogue.checks(), expectations: [any Check],
        sometimes: [any Check] = [], excuses: [String: String] = [:]
    ) {
        self.invariants = invariants
        self.expectations = expectations
        self.sometimes = sometimes
        self.excuses = excuses
    }

    package mutating func read(_ event: RunEvent) {
        for index in invariants.indices { invariants[index].read(event) }
        for index in expectations.indices { expectations[index].read(event) }
        for index in sometimes.indices { sometimes[index].read(event) }
    }

    package mutating func read(packets: UnsafeBufferPointer<PacketRecord>) {
        for index in invariants.indices { invariants[index].read(packets: packets) }
        for index in expectations.indices { expectations[index].read(packets: packets) }
        for index in sometimes.indices { sometimes[index].read(packets: packets) }
    }

    /// Returns all verdicts, those of the invariants first.
    package func verdicts() -> [Verdict] {
        invariants.map { verdict(of: $0, as: .invariant) }
            + expectations.map { verdict(of: $0, as: .expectation) }
            + sometimes.map { verdict(of: $0, as: .sometimes) }
    }

    private func verdict(of check: any Check, as kind: Verdict.Kind) -> Verdict {
        var answer = check.verdict()
        if case .broken(let breach) = answer, kind == .invariant, let reason = excuses[check.rule] {
            answer = .excused(because: reason, breach)
        }
        return Verdict(
            rule: check.rule, statement: check.statement, kind: kind, answer: answer,
            place: check.place)
    }
}

extension [Verdict] {
    /// The failed checks with their breaches, without what only one run of a suite must show.
    package var ruleBreaches: [(verdict: Verdict, breach: Breach)] {
        compactMap { verdict in
            guard case .broken(let breach) = verdict.answer, verdict.kind != .sometimes else {
                return nil
            }
            return (verdict, breach)
        }
    }
}
