import DocrootServer
import Quantities
import RunPlan

/// Checks that nothing is broken after a healing.
enum TimelineHealing {
    /// Checks entries with known times; entries with conditions are dropped in the run.
    static func check(
        _ entries: [(entry: ScheduledEntry, words: PlacedText)], _ draft: ScenarioDraft,
        _ mistakes: inout Mistakes
    ) {
        let healings = entries.filter { if case .heal = $0.entry.action { true } else { false } }
        guard let healing = healings.first else { return }
        if healings.count > 1 {
            return mistakes.add(
                "there are \(healings.count) healings", at: healings[1].words.place,
                expected: "one healing, after everything that goes wrong")
        }
        guard let time = healing.entry.occasion.time else { return }
        for (entry, words) in entries where entry.action.breaks {
            guard let last = entry.occasion.last, last > time else { continue }
            mistakes.add(
                "something would go wrong after the healing at \(time)", at: words.place,
                expected: "trouble before that: “from 5 s to 60 s” for repeated trouble")
        }
        for fault in draft.faults {
            guard let from = fault.from?.sinceStart, from > time else { continue }
            mistakes.add(
                "the fault “\(fault.name)” begins at \(from), after the healing",
                at: healing.words.place, expected: "a healing after everything that goes wrong")
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
