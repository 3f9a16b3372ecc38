package import Quantities

/// What a check found in one run.
package struct Verdict: Hashable, Sendable, Codable {
    package enum Answer: Hashable, Sendable, Codable {
        case held
        /// There was nothing in the log to judge: never the same as *held*.
        case notApplicable(because: String)
        case broken(Breach)
        /// It fell, and the scenario had said why it may.
        case excused(because: String, Breach)
    }

    package enum Kind: String, Hashable, Sendable, Codable {
        case invariant, expectation
        /// What one run of a suite has to reach, and not every one.
        case sometimes
    }

    package var rule: String
    package var statement: String
    package var kind: Kind
    package var answer: Answer
    /// Where the scenario file asks for it; invariants stand in no file.
    package var place: String?

    package init(
        rule: String, statement: String, kind: Kind, answer: Answer, place: String? = nil
    ) {
        self.rule = rule
        self.statement = statement
        self.kind = kind
        self.answer = answer
        self.place = place
    }

    /// It found nothing to judge.
    package var isSilent: Bool {
        if case .notApplicable = answer { true } else { false }
    }

    package var isBroken: Bool {
        if case .broken = answer { true } else { false }
    }

    /// Whether a run cannot be green with it. What is expected has to be judged: a run in
    /// which it never was shows nothing of what it is for.
    package var isFallen: Bool {
        switch kind {
        case .invariant: isBroken
        case .expectation: isBroken || isSilent
        case .sometimes: false
        }
    }
}

/// The first moment at which a rule did not hold.
package struct Breach: Hashable, Sendable, Codable {
    /// The index of the event in the log, counted from 0; a breach by packets names the event
    /// before.
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
