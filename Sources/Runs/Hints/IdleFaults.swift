import Checks
import DocrootServer
import Reports
import RunPlan
import Scenario

extension RunHints {
    /// Faults of the server that never took effect, unless an expectation counts that. With several
    /// seeds, they need not in each run.
    var idleFaults: [String] {
        guard scenario.seeds.count == 1 else { return [] }
        return scenario.faults.filter { fault in
            !oddities.effectiveFaults.contains(fault.name) && !isCounted(fault.name)
        }.map { fault in
            let isSwitched =
                fault.from != nil
                || entries.contains { played in
                    guard case .switchFault(fault.name, on: true) = played.entry.action else {
                        return false
                    }
                    return !played.deeds.isEmpty
                }
            return isSwitched
                ? "the fault “\(fault.name)” never took effect"
                : "the fault “\(fault.name)” was never switched on"
        }
    }

    private func isCounted(_ fault: String) -> Bool {
        wishes.contains { wish in
            if case .happens(.faultEffect(fault), _) = wish { true } else { false }
        }
    }
}
