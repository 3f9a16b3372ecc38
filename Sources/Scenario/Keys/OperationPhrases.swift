import Checks
import RunLog
import RunPlan

/// Phrases about upload operations: expectations, and actions of apps.
enum OperationPhrases {
    static let actions =
        Facade.operations.actions(
            "the app asks this of its upload operations, if it is running; numbers count the "
                + "operations of all apps")
        + [Phrase("lists of operations are emptied", means: .asks(.emptyLists))]

    /// Actions of an app's rules, by the app's own count.
    static let commands =
        Facade.operations.commands(
            "`add` begins an operation that the first launch did not begin; the other "
                + "actions act on an operation that exists")
        + [Phrase("empty lists of operations", means: .emptyLists)]

    static let occasions = Facade.operations.occasions(
        completed: "an upload operation has completed or failed")

    static let all =
        Facade.operations.completions("the server has the whole file") + [
            Facade.operations.failure("it happens at least once, whatever a retry does later"),
            Phrase(
                "operation N fails with error CODE",
                "a transport error such as -1005 (the connection was lost), or a status such as 507"
            ) { holes, draft in
                both(draft.any(.operations, holes[0]), TransferPhrases.errorCode(holes[1]))
                    .map { .sessionFails($0, code: $1, within: nil) }
            },
            Facade.operations.failure("is cancelled", code: -999),
            Facade.operations.failure("fails for its token", code: 401),
        ]
        + Facade.operations.counted(
            "fails", "how often it ends in failure; the app may retry it", Happening.failure)
        + Facade.operations.counted(
            "refreshes its token", "its token has expired, and it gets another one",
            Happening.tokenRefresh)
}
