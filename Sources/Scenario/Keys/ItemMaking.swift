import RunLog
import RunPlan

/// A task, an upload operation or a resumable transfer has its number through all launches of its
/// app: it is made once, at the first launch or by one entry of the timeline or one rule.
struct ItemMaking {
    /// Those that rules of apps make, and then those that the timeline does, by their numbers in
    /// the file.
    private var made: [ItemName]

    init(_ draft: ScenarioDraft) {
        let first = OtherAppPlan(name: "", files: [], sessions: [], app: draft.app)
        let others = draft.device.otherApps + draft.otherPhones.flatMap(\.plan.otherApps)
        var (tasks, operations, transfers) = (0, 0, 0)
        made = []
        for app in ([first] + others).map(\.app) {
            made += app.madeLater.map { ItemName(UInt64(tasks + $0), of: .background) }
            made += app.operationsLater.map { ItemName(UInt64(operations + $0), of: .operations) }
            made += app.transfersLater.map { ItemName(UInt64(transfers + $0), of: .bucket) }
            transfers += app.transfers.count
            tasks += app.tasks.count
            operations += app.operations.count
        }
    }

    mutating func take(
        _ action: TimelineEntry.Action, _ words: PlacedText, on occasion: ScheduledEntry.Occasion,
        _ mistakes: inout Mistakes
    ) {
        guard let item = action.made else { return }
        if made.contains(item) || !occasion.isOneMoment {
            let kind = item.facade.rawValue
            mistakes.add(
                "\(item) is made more than once", at: words.place,
                expected: "another \(kind) for each time, at one moment: “4 s”, “when …”, or "
                    + "“3 s after …”")
        }
        made.append(item)
    }
}

extension TimelineEntry.Action {
    fileprivate var made: ItemName? {
        if case .asks(let command) = self { command.made } else { nil }
    }
}

extension AppPlan.Command {
    /// What comes into the world by it.
    fileprivate var made: ItemName? {
        switch self {
        case .task(.made, let number): ItemName(UInt64(number), of: .background)
        case .operation(.added, let number): ItemName(UInt64(number), of: .operations)
        case .transfer(.started, let number): ItemName(UInt64(number), of: .bucket)
        case .task, .operation, .transfer, .emptyLists, .start, .doNotStart, .stop, .enqueue,
            .save, .deleteAccount, .session, .move, .change, .addPath:
            nil
        }
    }
}

extension ScheduledEntry.Occasion {
    /// “3 s after” something is each time, but of what there is only once the first time.
    func of(_ action: TimelineEntry.Action) -> Self {
        guard action.made != nil, case .when(let condition, let delay, .each) = self else {
            return self
        }
        return .when(condition, after: delay, .first)
    }

    fileprivate var isOneMoment: Bool {
        switch self {
        case .at, .byChance(1, _), .when(_, _, .first): true
        case .byChance, .every, .about, .when: false
        }
    }
}
