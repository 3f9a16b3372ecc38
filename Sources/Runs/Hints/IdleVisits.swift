import Checks
import RunPlan
import Scenario

extension RunHints {
    /// Visits of other clients that never took place; those with an `answer` fail the run by
    /// themselves. With several seeds, they need not in each run.
    var idleVisits: [String] {
        guard scenario.seeds.count == 1, !isChaos else { return [] }
        return scenario.visits.map(\.name).filter { !isJudged($0) && !tookPlace($0) }
            .map { "the visit “\($0)” never took place" }
    }

    private func tookPlace(_ visit: String) -> Bool {
        entries.contains { $0.entry.action == .visit(visit) && !$0.deeds.isEmpty }
    }

    private func isJudged(_ visit: String) -> Bool {
        wishes.contains { wish in
            if case .visitIsAnswered(let demand) = wish { demand.visit == visit } else { false }
        }
    }
}
