/// The result of many random scenarios: the red runs, and how often each cell of the state tables
/// was reached.
package struct ChanceTable: Hashable, Sendable, Codable {
    /// The seed of the first run; the other seeds follow.
    package var firstSeed: UInt64
    package var runs: Int
    package var facades: [String]
    package var red: [RedRun] = []
    package var tables: [Cells] = []
    /// How often the runs decided each clause of the invariants.
    package var evidence = ClauseTally()
    /// The digest of all runs. It changes only if a run behaves differently.
    package var digest = ""

    /// A red scenario, and the command that plays it alone.
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

    /// A state table: a row for each state, with a count for each event; `nil` is an impossible
    /// cell.
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

        fileprivate var counts: [UInt64] { rows.flatMap(\.counts).compactMap(\.self) }
    }

    package init(firstSeed: UInt64, runs: Int, facades: [String]) {
        self.firstSeed = firstSeed
        self.runs = runs
        self.facades = facades
    }

    package var isGreen: Bool { red.isEmpty }

    package var cellCount: Int { tables.reduce(0) { $0 + $1.counts.count } }

    /// The count of the least reached cell.
    package var leastReached: UInt64? { tables.flatMap(\.counts).min() }

    /// Returns the cells reached fewer times than `least`, in words.
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
