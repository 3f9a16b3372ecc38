/// A part of an invariant that can fail by itself.
package struct Clause: Hashable, Sendable {
    /// The invariant, such as `S10`.
    package var rule: String
    /// A short name that does not change.
    package var name: String
    package var sentence: String

    /// The name of the clause among those of all invariants, such as `S10 budget`.
    package var title: String { "\(rule) \(name)" }
}

/// How often a log decided a clause: in how many situations a plausible wrong engine would have
/// been caught by it. A clause that holds without such a situation shows nothing.
package struct ClauseCount: Hashable, Sendable, Codable {
    package var clause: String
    package var decided: Int

    package init(clause: String, decided: Int) {
        self.clause = clause
        self.decided = decided
    }
}

/// The clauses of one check. The raw value is the clause's name.
protocol ClauseName: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
    /// What the clause demands, in one sentence.
    var sentence: String { get }
}

/// The situations that a check has met, counted by clause.
struct Evidence<Name: ClauseName>: Sendable {
    private var counts: [Name: Int] = [:]

    /// Counts a situation in which a wrong engine would have been caught.
    mutating func decides(_ clause: Name, times: Int = 1) {
        guard times > 0 else { return }
        counts[clause, default: 0] += times
    }

    /// Counts a situation if the condition is true.
    mutating func decides(_ clause: Name, if isMet: Bool) {
        if isMet { decides(clause) }
    }

    /// All clauses in their order, with their counts.
    var all: [DecidedClause] {
        Name.allCases.map {
            DecidedClause(name: $0.rawValue, sentence: $0.sentence, decided: counts[$0] ?? 0)
        }
    }
}

/// A clause of a check, and how often it was decided.
package struct DecidedClause: Hashable, Sendable {
    package var name: String
    package var sentence: String
    package var decided: Int
}

extension [DecidedClause] {
    /// Returns the same clauses with the counts of both.
    func adding(_ others: [DecidedClause]) -> [DecidedClause] {
        zip(self, others).map { own, other in
            var sum = own
            sum.decided += other.decided
            return sum
        }
    }
}
