package import Scenario

/// The scenarios, the statements and field bugs that they cover, and the uncovered statements.
package struct Coverage: Codable, Sendable {
    package var scenarios: [Row]
    /// Covered statements in their order, then field bugs by name.
    package var covered: [Covered]
    package var uncovered: [Statement]

    package struct Row: Codable, Sendable {
        package var path: String
        package var name: String
        package var cites: [String]
        package var tags: [String]
        package var runs: Int
    }

    package struct Covered: Codable, Sendable {
        package var statement: String
        /// The statement's text; `nil` for a field bug, whose tracker has it.
        package var text: String?
        package var paths: [String]
    }

    package init(of scenarios: [Scenario]) {
        self.scenarios = scenarios.map {
            Row(
                path: $0.path, name: $0.name, cites: $0.cites, tags: $0.tags, runs: $0.seeds.count)
        }
        let cited = Set(scenarios.flatMap(\.cites))
        let statements = Statement.all.filter { cited.contains($0.number) }
        // any order: they are sorted.
        let fieldBugs = cited.subtracting(Statement.all.map(\.number)).sorted()
        let all = statements.map { ($0.number, $0.text) } + fieldBugs.map { ($0, nil) }
        covered = all.map { number, text in
            Covered(
                statement: number, text: text,
                paths: Self.paths(of: scenarios.filter { $0.cites.contains(number) }))
        }
        uncovered = Statement.all.filter { !cited.contains($0.number) }
    }

    /// Returns each file once: the cases of a matrix come from one file, in a row.
    private static func paths(of scenarios: [Scenario]) -> [String] {
        scenarios.reduce(into: []) { paths, scenario in
            if paths.last != scenario.path { paths.append(scenario.path) }
        }
    }
}
