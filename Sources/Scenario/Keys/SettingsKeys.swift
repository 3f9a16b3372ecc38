import Quantities
import RunPlan
import TransferEngine

/// A draft with transfer settings.
protocol SettingsDraft: SendableMetatype {
    var settings: TransferSettings { get set }
}

/// The settings of a session's files (A15): keys of a queue entry, and later changes by a user.
enum SettingsKeys {
    static func keys<Draft: SettingsDraft>(of: Draft.Type) -> [KeyTable<Draft>.Key] {
        [
            .optional(
                "overwrite", .words(OverwritePolicy.allCases.map(\.rawValue)),
                "what happens to a file that is there already: `never` (error 42), `always`, "
                    + "`diff` (it is overwritten if it has another size or another content; the "
                    + "default), `older` (if it is older than the source), `diff+older` (if both)"
            ) { node, draft, mistakes in
                let policy: OverwritePolicy? = mistakes.choice(
                    node, complaint: "there is no overwrite policy")
                if let policy { draft.settings.overwrite = policy }
            },
            .optional(
                "resume", .words(ResumePolicy.allCases.map(\.rawValue)),
                "how an unchanged source is recognised before an upload resumes: `none` (always "
                    + "from byte 0), `attributes` (size and date), `sparse checksum` (these and "
                    + "sixteen blocks of 4 KiB, spread over it; the default), `full checksum` "
                    + "(size "
                    + "and all of its bytes, whatever the date is)"
            ) { node, draft, mistakes in
                let policy: ResumePolicy? = mistakes.choice(
                    node, complaint: "there is no resume policy")
                if let policy { draft.settings.resume = policy }
            },
            .optional(
                "rate", rates.shape,
                "for the paced transport; over HTTP, TCP sets the rate",
                example: "{ policy: fixed, target: 20 Mbit/s, minimum: 1 Mbit/s }"
            ) { node, draft, mistakes in
                rates.read(node, into: &draft.settings.rate, mistakes: &mistakes)
                let rate = draft.settings.rate
                guard rate.minimum > rate.target else { return }
                let target = Bitrate(bitsPerSecond: rate.target)
                mistakes.add(
                    "the minimum rate is above the target rate", at: node.place,
                    expected: "a minimum of at most \(target)")
            },
        ]
    }

    private static let rates = KeyTable<RateWish>(
        name: "a rate",
        keys: [
            .optional(
                "policy", .words(RatePolicy.allCases.map(\.rawValue)),
                "how it shares the link with others; by default `fair`"
            ) { node, rate, mistakes in
                let policy: RatePolicy? = mistakes.choice(
                    node, complaint: "there is no rate policy")
                if let policy { rate.policy = policy }
            },
            .optional("target", .rate, "the target rate; by default 10 Mbit/s") {
                node, rate, mistakes in
                if let target = read(node, &mistakes) { rate.target = target }
            },
            .optional(
                "minimum", .rate, "the lowest rate; by default there is none"
            ) { node, rate, mistakes in
                if let minimum = read(node, &mistakes) { rate.minimum = minimum }
            },
        ])

    private static func read(_ node: YAMLNode, _ mistakes: inout Mistakes) -> UInt64? {
        mistakes.text(of: node, expected: Measure.rate.expectation)
            .flatMap { mistakes.rate($0) }?.bitsPerSecond
    }

    // MARK: Afterwards

    /// Makes phrases such as `session 1 is to overwrite never`.
    static func phrases(
        _ number:
            @escaping @Sendable (PlacedText, ScenarioDraft, inout Mistakes) -> Int?
    ) -> [Phrase<AppPlan.Command>] {
        let changes =
            OverwritePolicy.allCases.map { SettingsChange.overwrite($0) }
            + ResumePolicy.allCases.map { .resume($0) }
        return changes.map { change in
            Phrase(
                "session N is \(change.words)",
                "its policy from its next turn on; the queue refuses while the session is active"
            ) { holes, draft, mistakes in
                number(holes[0], draft, &mistakes).map { .change($0, change) }
            }
        }
    }
}

extension SettingsChange {
    /// The change in words, such as `to overwrite never`.
    var words: String {
        switch self {
        case .overwrite(let policy): "to overwrite \(policy.rawValue)"
        case .resume(let policy): "to resume by \(policy.rawValue)"
        }
    }
}

extension TransferSettings {
    /// A clause with the settings that differ from the defaults.
    var clause: String {
        let usual = TransferSettings()
        var words: [String] = []
        if overwrite != usual.overwrite { words.append("overwrites \(overwrite.rawValue)") }
        if resume != usual.resume { words.append("resumes by \(resume.rawValue)") }
        if rate != usual.rate {
            let minimum =
                rate.minimum > 0
                ? " and at least \(Bitrate(bitsPerSecond: rate.minimum))" : ""
            words.append(
                "wants a \(rate.policy.rawValue) rate of "
                    + "\(Bitrate(bitsPerSecond: rate.target))\(minimum), which is for the paced "
                    + "transport: over HTTP TCP sets the rate"
            )
        }
        return words.map { ", \($0)" }.joined()
    }
}
