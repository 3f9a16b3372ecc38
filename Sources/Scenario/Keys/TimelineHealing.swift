import DocrootServer
import Quantities
import RunPlan

/// Checks that nothing is broken after a healing.
enum TimelineHealing {
    /// Checks entries with known times; entries with conditions are dropped in the run.
    static func check(
        _ entries: [(entry: ScheduledEntry, words: PlacedText)], _ draft: ScenarioDraft
    ) {
        let healings = entries.filter { if case .heal = $0.entry.action { true } else { false } }
        guard let healing = healings.first else { return }
        if healings.count > 1 {
            return healings[1].words.refuse(
                "there are \(healings.count) healings",
                expected: "one healing, after everything that goes wrong")
        }
        guard let time = healing.entry.occasion.time else { return }
        for (entry, words) in entries where entry.action.breaks {
            guard let last = entry.occasion.last, last > time else { continue }
            words.refuse(
                "something would go wrong after the healing at \(time)",
                expected: "trouble before that: “from 5 s to 60 s” for repeated trouble")
        }
        for fault in draft.faults {
            guard let from = fault.from?.sinceStart, from > time else { continue }
            healing.words.refuse(
                "the fault “\(fault.name)” begins at \(from), after the healing",
                expected: "a healing after everything that goes wrong")
        }
    }
}

extension ScheduledEntry.Occasion {
    /// The latest possible time, if it is known.
    fileprivate var last: TimeSpan? {
        switch self {
        case .at(let time): time
        case .every(_, let window), .byChance(_, let window), .about(_, let window): window.to
        case .when: nil
        }
    }
}
