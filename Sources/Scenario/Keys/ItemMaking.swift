import RunLog
import RunPlan

/// Checks that each item is made once. A task, operation or transfer keeps its number through all
/// launches of its app: it is made at the first launch, by one entry of the timeline, or by one
/// rule.
struct ItemMaking {
    /// Items made by rules of apps, then by the timeline, by their numbers in the file.
    private var made: [ItemName]

    init(_ draft: ScenarioDraft) {
        var before = ItemCounts()
        made = []
        for app in draft.apps {
            for facade in Facade.allCases where facade != .queue {
                made += app.app.later(facade).map {
                    before.name(ItemName(UInt64($0), of: facade))
                }
            }
            before += app.counts
        }
    }

    mutating func take(
        _ action: TimelineEntry.Action, _ words: PlacedText, on occasion: ScheduledEntry.Occasion
    ) {
        guard let item = action.made else { return }
        if made.contains(item) || !occasion.isOneMoment {
            let kind = item.facade.rawValue
            words.refuse(
                "\(item) is made more than once",
                expected:
                    "a separate \(kind) for each time, at a single moment: “4 s”, “when …” or “3 "
                    + "s after …”")
        }
        made.append(item)
    }
}

extension TimelineEntry.Action {
    fileprivate var made: ItemName? {
        guard case .asks(let command) = self, let item = command.begun, item.facade != .queue
        else { return nil }
        return item
    }
}

extension ScheduledEntry.Occasion {
    /// Limits “3 s after” to the first time for an action that makes an item.
    func of(_ action: TimelineEntry.Action) -> Self {
        guard action.made != nil, case .when(let condition, let delay, .each) = self else {
            return self
        }
        return .when(condition, after: delay, .first)
    }

    fileprivate var isOneMoment: Bool {
        switch self {
        case .at, .byChance(1, _), .when(_, _, .first), .when(_, _, .number): true
        case .byChance, .every, .about, .when: false
        }
    }
}
