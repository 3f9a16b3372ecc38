package import Checks

/// How often each clause of the invariants was decided, by its title, such as `S10 budget`. A
/// clause that is missing was never decided.
package struct ClauseTally: Hashable, Sendable, Codable {
    package private(set) var counts: [String: Int] = [:]

    package init() {}

    /// Counts the clauses of a run's verdicts.
    package init(_ verdicts: [Verdict]) {
        for verdict in verdicts {
            for count in verdict.clauses ?? [] where count.decided > 0 {
                counts["\(verdict.rule) \(count.clause)", default: 0] += count.decided
            }
        }
    }

    package init(from decoder: any Decoder) throws {
        counts = try decoder.singleValueContainer().decode([String: Int].self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(counts)
    }

    package subscript(clause: Clause) -> Int { counts[clause.title] ?? 0 }

    /// The invariants of the decided clauses.
    var rules: Set<String> {
        // any order: a set is made of them
        Set(counts.keys.compactMap { $0.split(separator: " ").first.map(String.init) })
    }

    package static func += (sum: inout ClauseTally, other: ClauseTally) {
        sum.counts.merge(other.counts, uniquingKeysWith: +)
    }
}

/// A clause, how often the runs of a suite decided it, and the run that did so most often.
package struct ClauseRow: Hashable, Sendable {
    package var clause: Clause
    package var decided: Int
    /// The first of the runs that decided the clause most often; `nil` if none did.
    package var most: SuiteEntry?
    /// The reason why nothing has to decide the clause, if the suite makes an exception.
    package var exception: String?

    /// Whether the suite demands evidence of the clause and has none.
    package var isMissing: Bool { decided == 0 && exception == nil }
}

extension Suite {
    /// All clauses in the order of the invariants.
    package var clauseRows: [ClauseRow] {
        let exceptions = Dictionary(
            (demand?.exceptions ?? []).map { ($0.clause, $0.reason) },
            uniquingKeysWith: { first, _ in first })
        return InvariantCatalogue.clauses.map { clause in
            let title = clause.title
            var row = ClauseRow(clause: clause, decided: 0, exception: exceptions[title])
            var most = (decided: 0, place: 0)
            for place in entries.indices {
                let decided = entries[place].evidence?.counts[title] ?? 0
                row.decided += decided
                if decided > most.decided { most = (decided, place) }
            }
            if most.decided > 0 { row.most = entries[most.place] }
            return row
        }
    }

    /// What the runs fall short of: clauses without evidence, and exceptions that are needless.
    package var shortfalls: [EvidenceShortfall] {
        // The missing runs might have decided some clauses.
        guard let demand, interruption == nil, notPlayed.isEmpty else { return [] }
        return clauseRows.compactMap { row in
            let title = row.clause.title
            if row.isMissing {
                return EvidenceShortfall(
                    words: "no run could have failed “\(title)”: \(row.clause.sentence)",
                    remedy: "add a scenario that decides it, or an exception with its reason",
                    place: demand.place)
            }
            guard row.exception != nil, row.decided > 0, let most = row.most else { return nil }
            return EvidenceShortfall(
                words: "“\(title)” is an exception, but \(most.path) decides it",
                remedy: "remove the exception",
                place: demand.exceptions.first { $0.clause == title }?.place ?? demand.place)
        }
    }
}

/// A clause for which a suite falls short of its demand.
package struct EvidenceShortfall: Hashable, Sendable, Codable {
    package var words: String
    package var remedy: String
    /// The place of the demand, as `file:line:column`.
    package var place: String
}
