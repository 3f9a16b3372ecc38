package import Scenario

/// One run of a suite: a scenario and a seed.
package struct SuiteCase: Sendable {
    package let scenario: Scenario
    package let seed: UInt64
    /// Whether the scenario is played with other seeds, too.
    package let isOneOfSeveral: Bool

    /// Returns the runs of scenarios with these seeds, or with their own.
    package static func all(of scenarios: [Scenario], seeds: [UInt64]? = nil) -> [SuiteCase] {
        scenarios.flatMap { scenario in
            let seeds = seeds ?? scenario.seeds
            return seeds.map {
                SuiteCase(scenario: scenario, seed: $0, isOneOfSeveral: seeds.count > 1)
            }
        }
    }
}
