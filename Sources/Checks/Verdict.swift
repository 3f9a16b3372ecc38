package import Quantities

/// The result of a check in one run.
package struct Verdict: Hashable, Sendable, Codable {
    package enum Answer: Hashable, Sendable, Codable {
        case held
        /// The log had nothing to judge; never the same as *held*.
        case notApplicable(because: String)
        case broken(Breach)
        /// The check failed, and the scenario excuses it.
        case excused(because: String, Breach)

        private enum CodingKeys: String, CodingKey, CaseIterable {
            case held, notApplicable, broken, excused
        }

        var isBreach: Bool {
            if case .broken = self { true } else { false }
        }
    }

    package enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        case invariant, expectation
        /// An expectation that only one run of a suite must meet.
        case sometimes
    }

    package var rule: String
    package var statement: String
    package var kind: Kind
    package var answer: Answer
    /// The place in the scenario file; `nil` for an invariant.
    package var place: String?
    /// What a failed rule is about, if that explains the breach.
    package var subject: RuleSubject?
    /// How often the run decided each clause of an invariant; `nil` if the check has no clauses.
    package var clauses: [ClauseCount]?

    package init(
        rule: String, statement: String, kind: Kind, answer: Answer, place: String? = nil,
        subject: RuleSubject? = nil, clauses: [ClauseCount]? = nil
    ) {
        self.rule = rule
        self.statement = statement
        self.kind = kind
        self.answer = answer
        self.place = place
        self.subject = subject
        self.clauses = clauses
    }

    /// Whether there was nothing to judge.
    package var isSilent: Bool {
        if case .notApplicable = answer { true } else { false }
    }

    package var isBroken: Bool { answer.isBreach }

    /// Whether the verdict makes a run red. An expectation must have been judged, or the run does
    /// not show what it is for.
    package var isFallen: Bool {
        switch kind {
        case .invariant: isBroken
        case .expectation: isBroken || isSilent
        case .sometimes: false
        }
    }
}

extension [Verdict.Answer] {
    /// The answer to a rule with several parts: the earliest breach, or else *held* if any part
    /// held.
    var together: Verdict.Answer {
        let breaches = compactMap { answer in
            if case .broken(let breach) = answer { breach } else { nil }
        }
        if let earliest = breaches.min(by: { $0.event < $1.event }) { return .broken(earliest) }
        return contains(.held) ? .held : self[0]
    }
}

/// The first moment at which a rule failed.
package struct Breach: Hashable, Sendable, Codable {
    /// The index of the event in the log, counted from 0; for a breach by packets, the event before
    /// them.
    package var event: Int
    package var at: Instant
    package var expected: String
    package var seen: String

    package init(event: Int, at: Instant, expected: String, seen: String) {
        self.event = event
        self.at = at
        self.expected = expected
        self.seen = seen
    }
}
