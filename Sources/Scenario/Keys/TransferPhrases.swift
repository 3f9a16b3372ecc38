import Checks
import Quantities
import RunLog
import RunPlan

/// What can be expected of resumable transfers, what can be waited for, and what apps do with them.
enum TransferPhrases {
    static let actions: [Phrase<TimelineEntry.Action>] = TransferStep.allCases.map { step in
        Phrase(
            "transfer N is \(step.rawValue)",
            "the app asks that of a resumable transfer, if it runs; the transfers of all apps "
                + "are counted"
        ) { holes, draft, mistakes in
            draft.transfers.any(holes[0], &mistakes).map {
                .asks(.transfer(step, Int($0.number)))
            }
        }
    }

    /// The same as rules of an app, by its own count.
    static let commands: [Phrase<AppPlan.Command>] = TransferStep.allCases.map { step in
        Phrase(
            "\(step.verb) transfer N",
            "`start` starts a transfer that is not started at the first launch; the others are "
                + "what the app can ask of its transfers. One that is suspended is resumed by the "
                + "timeline: `5 s after transfer 1 comes to rest: transfer 1 is resumed`"
        ) { holes, draft, mistakes in
            draft.transfers.own(holes[0], &mistakes).map { .transfer(step, Int($0.number)) }
        }
    }

    static let occasions: [Phrase<AppPlan.Occasion>] = [
        Phrase(
            "on completed transfer N",
            "a transfer has ended, well or not: there is no entry any more"
        ) { holes, draft, mistakes in
            draft.transfers.own(holes[0], &mistakes).map { .completed($0) }
        },
        Phrase("on failed transfer N") { holes, draft, mistakes in
            draft.transfers.own(holes[0], &mistakes).map { .failed($0) }
        },
        Phrase("on suspended transfer N", "it was suspended, by the app, the system or an error") {
            holes, draft, mistakes in
            draft.transfers.own(holes[0], &mistakes).map { .suspended($0) }
        },
    ]

    /// How it stands, without its progress.
    static let conditions: [Phrase<TimelineCondition.Kind>] = [
        condition("starts", "a resumable transfer does so") { .sessionStarts($0) },
        condition("comes to rest", "it is suspended, or stays so") { .transferIsSuspended($0) },
        condition("fails", "there is no entry any more") { .sessionFails($0) },
        condition("completes") { .sessionCompletes($0) },
    ]

    static let all: [Phrase<ExpectationPlan>] =
        [
            Phrase("transfer N completes within TIME", "it is committed, or whole in its place") {
                holes, draft, mistakes in
                timed(holes, draft, &mistakes) { .sessionCompletes($0, within: .zero...$1) }
            },
            Phrase("transfer N completes after TIME") { holes, draft, mistakes in
                timed(holes, draft, &mistakes) { .sessionCompletes($0, within: $1...draft.limit) }
            },
            Phrase("transfer N ends with error CODE", "there is no entry any more") {
                holes, draft, mistakes in
                coded(holes, draft, &mistakes) { .sessionFails($0, code: $1, within: nil) }
            },
            Phrase(
                "transfer N is suspended with error CODE",
                "at least once: 809 where it was asked for, 812 where the file has changed, "
                    + "507 where the plan is full, -1005 where the connection was lost, …"
            ) { holes, draft, mistakes in
                coded(holes, draft, &mistakes) { .happens(.rest($0, code: $1), .atLeast(1)) }
            },
            Phrase(
                "transfer N is refused with error CODE",
                "what was asked is not done (801, 807, 808, 810, 811)"
            ) { holes, draft, mistakes in
                coded(holes, draft, &mistakes) {
                    .happens(.transferRefusal($0, code: $1), .atLeast(1))
                }
            },
            counted("transfer N resumes TIMES", "it goes on at what the server, or its part, has") {
                .resume($0)
            },
            counted("transfer N starts over TIMES", "it begins at byte 0 again") { .startOver($0) },
        ] + TransferStatus.allCases.flatMap(standing)

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
            Phrase("transfer N is \(status.rawValue) at the end", "how it stands then") {
                holes, draft, mistakes in
                draft.transfers.any(holes[0], &mistakes).map {
                    .sessionStands($0, status.stage, at: nil)
                }
            },
            Phrase("transfer N is \(status.rawValue) at TIME") { holes, draft, mistakes in
                timed(holes, draft, &mistakes) { .sessionStands($0, status.stage, at: $1) }
            },
        ]
    }

    private static func condition(
        _ verb: String, _ about: String? = nil,
        _ kind: @escaping @Sendable (ItemName) -> TimelineCondition.Kind
    ) -> Phrase<TimelineCondition.Kind> {
        Phrase("transfer N \(verb)", about) { holes, draft, mistakes in
            draft.transfers.any(holes[0], &mistakes).map(kind)
        }
    }

    private static func counted(
        _ pattern: String, _ about: String,
        _ happening: @escaping @Sendable (ItemName) -> Happening
    ) -> Phrase<ExpectationPlan> {
        Phrase(pattern, about) { holes, draft, mistakes in
            let times = mistakes.times(holes[1])
            guard let transfer = draft.transfers.any(holes[0], &mistakes), let times else {
                return nil
            }
            return .happens(happening(transfer), times)
        }
    }

    private static func timed(
        _ holes: [PlacedText], _ draft: ScenarioDraft, _ mistakes: inout Mistakes,
        _ plan: (ItemName, TimeSpan) -> ExpectationPlan
    ) -> ExpectationPlan? {
        let transfer = draft.transfers.any(holes[0], &mistakes)
        return draft.timed(transfer, holes[1], &mistakes, plan)
    }

    private static func coded(
        _ holes: [PlacedText], _ draft: ScenarioDraft, _ mistakes: inout Mistakes,
        _ plan: (ItemName, Int) -> ExpectationPlan
    ) -> ExpectationPlan? {
        let transfer = draft.transfers.any(holes[0], &mistakes)
        guard let code = Int(holes[1].text), code < 0 || (100...999).contains(code) else {
            mistakes.add(
                "there is no error “\(holes[1].text)”", at: holes[1].place,
                expected: "a number of behaviour K11 such as 812, a status such as 507, or one of "
                    + "the transport such as -1005")
            return nil
        }
        return transfer.map { plan($0, code) }
    }
}

extension TransferStep {
    /// As one asks for it.
    var verb: String {
        switch self {
        case .started: "start"
        case .resumed: "resume"
        case .suspended: "suspend"
        case .terminated: "terminate"
        }
    }
}
