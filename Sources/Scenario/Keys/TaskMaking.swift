import RunPlan

/// A task has its number through all launches of its app: it is made once, at the first launch or
/// by one entry of the timeline or one rule.
struct TaskMaking {
    /// Those that rules of apps make, and then those that the timeline does, by their numbers in
    /// the file.
    private var made: [Int]

    init(_ draft: ScenarioDraft) {
        let first = OtherAppPlan(name: "", files: [], sessions: [], app: draft.app)
        let others = draft.device.otherApps + draft.otherPhones.flatMap(\.plan.otherApps)
        var before = 0
        made = []
        for app in ([first] + others).map(\.app) {
            made += app.madeLater.map { before + $0 }
            before += app.tasks.count
        }
    }

    mutating func take(
        _ action: TimelineEntry.Action, _ words: PlacedText, on occasion: ScheduledEntry.Occasion,
        _ mistakes: inout Mistakes
    ) {
        guard case .asks(.task(.made, let number)) = action else { return }
        if made.contains(number) || !occasion.isOneMoment {
            mistakes.add(
                "task \(number) is made more than once", at: words.place,
                expected: "a task for each time, at one moment: “4 s”, or “when …”")
        }
        made.append(number)
    }
}

extension ScheduledEntry.Occasion {
    fileprivate var isOneMoment: Bool {
        switch self {
        case .at, .byChance(1, _), .when(_, _, .first): true
        case .byChance, .every, .about, .when: false
        }
    }
}
