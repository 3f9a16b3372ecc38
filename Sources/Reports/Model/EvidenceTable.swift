import Checks

/// How often each clause of the invariants is decided by scenarios, by random runs and by crashes.
package struct EvidenceTable: Codable, Sendable {
    package var rows: [Row]

    package struct Row: Codable, Sendable {
        /// The invariant and the name of the clause, such as `S10 budget`.
        package var clause: String
        package var sentence: String
        package var scenarios: Int
        package var chance: Int
        package var crashes: Int

        /// Whether no run could have failed the clause.
        package var isEmpty: Bool { scenarios == 0 && chance == 0 && crashes == 0 }
    }

    package init(scenarios: ClauseTally, chance: ClauseTally, crashes: ClauseTally) {
        rows = InvariantCatalogue.clauses.map { clause in
            Row(
                clause: clause.title, sentence: clause.sentence, scenarios: scenarios[clause],
                chance: chance[clause], crashes: crashes[clause])
        }
    }

    /// The clauses that no run could have failed.
    package var empty: [Row] { rows.filter(\.isEmpty) }
}
