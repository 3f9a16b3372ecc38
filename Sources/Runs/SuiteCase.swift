package import Scenario

/// One run of a suite: a scenario and a seed.
package struct SuiteCase: Sendable {
    package let scenario: Scenario
    package let seed: UInt64
    /// The place of the seed among those with which the scenario is played.
    let place: Int
    /// Whether the scenario is played with other seeds, too.
    package let isOneOfSeveral: Bool

    /// Returns the runs of scenarios with these seeds, or with their own.
    package static func all(of scenarios: [Scenario], seeds: [UInt64]? = nil) -> [SuiteCase] {
        scenarios.flatMap { scenario in
            let seeds = seeds ?? scenario.seeds
            return seeds.enumerated().map { place, seed in
                SuiteCase(
                    scenario: scenario, seed: seed, place: place,
                    isOneOfSeveral: seeds.count > 1)
            }
        }
    }
}
