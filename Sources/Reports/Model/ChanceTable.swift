/// What came of many random scenarios: those that are red, and how often each cell of the state
/// tables was reached.
package struct ChanceTable: Hashable, Sendable, Codable {
    /// The seed of the first; the others follow it.
    package var firstSeed: UInt64
    package var runs: Int
    package var facades: [String]
    package var red: [RedRun] = []
    package var tables: [Cells] = []
    /// Digest of all runs: it is the same as long as no run behaves differently.
    package var digest = ""

    /// A scenario that breaks a rule, and how to play it alone.
    package struct RedRun: Hashable, Sendable, Codable {
        package var seed: UInt64
        package var judgement: Judgement
        package var breaches: [RuleBreach]
        package var command: String

        package init(
            seed: UInt64, judgement: Judgement, breaches: [RuleBreach], command: String
        ) {
            self.seed = seed
            self.judgement = judgement
            self.breaches = breaches
            self.command = command
        }
    }

    /// A state table: a row for each state, and in it a count for each event; `nil` is a cell that
    /// cannot arise.
    package struct Cells: Hashable, Sendable, Codable {
        package var name: String
        package var events: [String]
        package var rows: [Row] = []

        package struct Row: Hashable, Sendable, Codable {
            package var state: String
            package var counts: [UInt64?]

            package init(state: String, counts: [UInt64?]) {
                self.state = state
                self.counts = counts
            }
        }

        package init(name: String, events: [String]) {
            self.name = name
            self.events = events
        }
    }

    package init(firstSeed: UInt64, runs: Int, facades: [String]) {
        self.firstSeed = firstSeed
        self.runs = runs
        self.facades = facades
    }

    package var isGreen: Bool { red.isEmpty }

    package var cellCount: Int { tables.reduce(0) { $0 + $1.counts.count } }

    /// How often the cell was reached that was reached least.
    package var leastReached: UInt64? { tables.flatMap(\.counts).min() }

    /// Those that were reached less often than so, in words.
    package func cells(below least: UInt64) -> [String] {
        tables.flatMap { table in
            table.rows.flatMap { row in
                zip(table.events, row.counts).compactMap { event, count -> String? in
                    guard let count, count < least else { return nil }
                    return "\(table.name): \(row.state) × \(event), \(count)"
                }
            }
        }
    }
}

extension ChanceTable.Cells {
    fileprivate var counts: [UInt64] { rows.flatMap(\.counts).compactMap(\.self) }
}
