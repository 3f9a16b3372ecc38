import Checks
import Quantities
import RunLog
import RunPlan

/// What can be expected of upload operations, and what apps do with them.
enum OperationPhrases {
    static let actions: [Phrase<TimelineEntry.Action>] =
        OperationStep.allCases.map { step in
            Phrase(
                "operation N is \(step.rawValue)",
                "the app asks that of its upload operations, if it runs; the operations of all "
                    + "apps are counted"
            ) { holes, draft, mistakes in
                draft.operations.any(holes[0], &mistakes).map {
                    .asks(.operation(step, Int($0.number)))
                }
            }
        } + [Phrase("lists of operations are emptied") { _, _, _ in .asks(.emptyLists) }]

    /// The same as rules of an app, by its own count.
    static let commands: [Phrase<AppPlan.Command>] =
        OperationStep.allCases.map { step in
            Phrase(
                "\(step.verb) operation N",
                "`add` begins an operation that is not begun at the first launch; the others "
                    + "are what the app can ask of its operations"
            ) { holes, draft, mistakes in
                draft.operations.own(holes[0], &mistakes).map {
                    .operation(step, Int($0.number))
                }
            }
        } + [Phrase("empty lists of operations") { _, _, _ in .emptyLists }]

    static let occasions: [Phrase<AppPlan.Occasion>] = [
        Phrase("on completed operation N", "an upload operation has ended, well or not") {
            holes, draft, mistakes in
            draft.operations.own(holes[0], &mistakes).map { .completed($0) }
        },
        Phrase("on failed operation N") { holes, draft, mistakes in
            draft.operations.own(holes[0], &mistakes).map { .failed($0) }
        },
    ]

    static let all: [Phrase<ExpectationPlan>] = [
        Phrase("operation N completes within TIME", "the server has all of it") {
            holes, draft, mistakes in
            timed(holes, draft, &mistakes) { .sessionCompletes($0, within: .zero...$1) }
        },
        Phrase("operation N completes after TIME") { holes, draft, mistakes in
            timed(holes, draft, &mistakes) { .sessionCompletes($0, within: $1...draft.limit) }
        },
        Phrase("operation N fails within TIME", "at least once, whatever a retry does later") {
            holes, draft, mistakes in
            timed(holes, draft, &mistakes) { .sessionFails($0, code: nil, within: $1) }
        },
        Phrase("operation N is cancelled") { holes, draft, mistakes in
            fails(holes, draft, &mistakes, code: cancelled)
        },
        Phrase("operation N fails for its token") { holes, draft, mistakes in
            fails(holes, draft, &mistakes, code: 401)
        },
    ]

    /// The error of an operation that was cancelled.
    private static let cancelled = -999

    private static func fails(
        _ holes: [PlacedText], _ draft: ScenarioDraft, _ mistakes: inout Mistakes, code: Int
    ) -> ExpectationPlan? {
        draft.operations.any(holes[0], &mistakes).map {
            .sessionFails($0, code: code, within: nil)
        }
    }

    private static func timed(
        _ holes: [PlacedText], _ draft: ScenarioDraft, _ mistakes: inout Mistakes,
        _ plan: (ItemName, TimeSpan) -> ExpectationPlan
    ) -> ExpectationPlan? {
        let operation = draft.operations.any(holes[0], &mistakes)
        return draft.timed(operation, holes[1], &mistakes, plan)
    }
}

extension OperationStep {
    /// As one asks for it.
    var verb: String {
        switch self {
        case .added: "add"
        case .cancelled: "cancel"
        case .retried: "retry"
        }
    }
}
