import Quantities
import RunPlan
import Scenario

extension RunHints {
    /// Entries that break or change something after the last session has ended, and after all that
    /// the user asks for. Only entries with known times count, because others may come late on
    /// purpose.
    var lateEntries: [String] {
        guard let ended = end else { return [] }
        let end = max(ended, lastCommand ?? ended)
        return entries.compactMap { (played) -> String? in
            guard played.entry.action.disturbs else { return nil }
            switch played.entry.occasion {
            case .at(let time) where .start + time > end:
                return "\(words(for: played)) comes after the end of the last session at \(ended)"
            case .every:
                let late = played.deeds.count { $0.at > end }
                // Some more are no harm: nobody knows the end beforehand.
                guard late > 2, late * 2 > played.deeds.count else { return nil }
                return "\(words(for: played)) comes \(played.deeds.count) times, \(late) of them "
                    + "after the end of the last session at \(ended)"
            case .at, .byChance, .about, .when: return nil
            }
        }
    }
}

extension RunHints {
    /// The last moment at which the timeline asked an app for something.
    private var lastCommand: Instant? {
        entries.flatMap { played in
            if case .asks = played.entry.action { played.deeds.map(\.at) } else { [Instant]() }
        }.max()
    }
}

extension TimelineEntry.Action {
    /// Whether the action is meant to disturb a transfer.
    fileprivate var disturbs: Bool {
        if case .changeFile = self { true } else { breaks }
    }
}
