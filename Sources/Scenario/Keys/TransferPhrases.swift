import Checks
import RunLog
import RunPlan

/// Phrases about resumable transfers: expectations, conditions, and actions of apps.
enum TransferPhrases {
    private static let transfers = Facade.bucket

    static let actions = transfers.actions(
        "the app asks this of a resumable transfer, if it is running; numbers count the "
            + "transfers of all apps")

    /// Actions of an app's rules, by the app's own count.
    static let commands = transfers.commands(
        "`start` starts a transfer that was not started at the first launch; the other "
            + "actions act on a transfer that exists. A suspended transfer can be resumed by "
            + "the timeline: `5 s after transfer 1 comes to rest: transfer 1 is resumed`")

    static let occasions =
        transfers.occasions(completed: "a transfer has completed or failed: its entry is gone") + [
            transfers.own("on suspended", "it was suspended by the app, the system or an error") {
                .suspended($0)
            }
        ]

    /// Conditions on its state, without its progress.
    static let conditions: [Phrase<TimelineCondition.Kind>] = [
        transfers.any("starts", "a resumable transfer starts") { .sessionStarts($0) },
        transfers.any("comes to rest", "it is suspended, or remains suspended") {
            .transferIsSuspended($0)
        },
        transfers.any("fails", "its entry is gone") { .sessionFails($0) },
        transfers.any("completes") { .sessionCompletes($0) },
    ]

    static let all: [Phrase<ExpectationPlan>] =
        transfers.completions("an upload is committed, a download is whole in its place") + [
            coded("ends with", "its entry is gone") {
                .sessionFails($0, code: $1, within: nil)
            },
            coded(
                "is suspended with",
                "at least once: 809 on request, 812 if the file has changed, 507 if the quota is "
                    + "full, -1005 if the connection was lost, …"
            ) { .happens(.rest($0, code: $1), .atLeast(1)) },
            coded(
                "is refused with", "a request of the app is refused (801, 807, 808, 810, 811)"
            ) { .happens(.transferRefusal($0, code: $1), .atLeast(1)) },
        ]
        + transfers.counted(
            "resumes",
            "an upload continues where the server is, a download where its part file ends",
            Happening.resume)
        + transfers.counted("starts over", "it begins at byte 0 again", Happening.startOver)
        + transfers.counted("fails", "its entry is gone, and it is not complete", Happening.failure)
        + TransferStatus.allCases.flatMap(standing)

    private enum TransferStatus: String, CaseIterable {
        case ongoing, suspended, completed, terminated

        var stage: ItemStage {
            switch self {
            case .ongoing: .running
            case .suspended: .suspended
            case .completed: .completed
            case .terminated: .cancelled
            }
        }
    }

    private static func standing(_ status: TransferStatus) -> [Phrase<ExpectationPlan>] {
        [
            transfers.any("is \(status.rawValue) at the end", "its state at that time") {
                .sessionStands($0, status.stage, at: nil)
            },
            transfers.timed("is \(status.rawValue) at") { transfer, time, _ in
                .sessionStands(transfer, status.stage, at: time)
            },
        ]
    }

    private static func coded(
        _ words: String, _ about: String,
        _ plan: @escaping @Sendable (ItemName, Int) -> ExpectationPlan
    ) -> Phrase<ExpectationPlan> {
        Phrase("transfer N \(words) error CODE", about) { holes, draft in
            both(draft.any(.bucket, holes[0]), errorCode(holes[1])).map { plan($0, $1) }
        }
    }

    static func errorCode(_ words: PlacedText) -> Int? {
        if let code = Int(words.text), code < 0 || (100...999).contains(code) { return code }
        return words.refuse(
            "there is no error “\(words.text)”",
            expected:
                "a status such as 507, a transport error such as -1005, or, of a transfer, an "
                + "error of K11 such as 812")
    }
}
