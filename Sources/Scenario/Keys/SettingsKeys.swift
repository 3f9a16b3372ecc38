import Quantities
import RunPlan
import TransferEngine

/// The settings of a session's files (A15): keys of a queue entry, and later changes by a user.
enum SettingsKeys {
    static let keys: [KeyTable<TransferSettings>.Key] = [
        .choice(
            "overwrite",
            "what happens to a file that is there already: `never` (error 42), `always`, `diff` "
                + "(it is overwritten if it has another size or another content; the default), "
                + "`older` (if it is older than the source), `diff+older` (if both)",
            complaint: "there is no overwrite policy", \.overwrite),
        .choice(
            "resume",
            "how an unchanged source is recognised before an upload resumes: `none` (always from "
                + "byte 0), `attributes` (size and date), `sparse checksum` (these and sixteen "
                + "blocks of 4 KiB, spread over it; the default), `full checksum` (size and all "
                + "of its bytes, whatever the date is)",
            complaint: "there is no resume policy", \.resume),
        .choice(
            "transport",
            "how the files travel: `http` (over TCP; the default), `paced` (over the paced "
                + "transport, which uses UDP and keeps to `rate`), `paced or http` (over TCP where "
                + "UDP does not pass)",
            complaint: "there is no transport", \.transport),
        .optional(
            "rate", rates.shape, "for the paced transport; over TCP, the network sets the rate",
            example: "{ policy: fixed, target: 20 Mbit/s, minimum: 1 Mbit/s }"
        ) { node, settings in
            rates.read(node, into: &settings.rate)
            guard settings.rate.minimum > settings.rate.target else { return }
            let target = Bitrate(bitsPerSecond: settings.rate.target)
            node.refuse(
                "the minimum rate is above the target rate",
                expected: "a minimum of at most \(target)")
        },
    ]

    private static let rates = KeyTable<RateWish>(
        name: "a rate",
        keys: [
            .choice(
                "policy", "how it shares the link with others; by default `fair`",
                complaint: "there is no rate policy", \.policy),
            .optional("target", .rate, "the target rate; by default 10 Mbit/s") { node, rate in
                if let target = node.rate() { rate.target = target.bitsPerSecond }
            },
            .optional("minimum", .rate, "the lowest rate; by default there is none") { node, rate in
                if let minimum = node.rate() { rate.minimum = minimum.bitsPerSecond }
            },
        ])

    // MARK: Afterwards

    /// Makes phrases such as `session 1 is to overwrite never`.
    static func phrases(by numbering: Numbering) -> [Phrase<AppPlan.Command>] {
        let changes =
            OverwritePolicy.allCases.map { SettingsChange.overwrite($0) }
            + ResumePolicy.allCases.map { .resume($0) }
            + RatePolicy.allCases.map { .ratePolicy($0) }
        return [rateChange(by: numbering)]
            + changes.map { change in
                Phrase(
                    "session N is \(change.words)",
                    change.isOfRate
                        ? "how it shares the link from now on, over the paced transport"
                        : "its policy from its next turn on; the queue refuses while the session "
                            + "is active, and one that is only saved keeps it with its next save"
                ) { holes, draft in
                    draft.item(.queue, holes[0], by: numbering).map {
                        .change(Int($0.number), change)
                    }
                }
            }
    }
}

extension SettingsKeys {
    private static func rateChange(by numbering: Numbering) -> Phrase<AppPlan.Command> {
        Phrase(
            "session N is to go at RATE", "its target rate from now on, over the paced transport"
        ) { holes, draft in
            both(draft.item(.queue, holes[0], by: numbering), holes[1].rate()).map {
                .change(Int($0.number), .targetRate($1.bitsPerSecond))
            }
        }
    }
}

extension SettingsChange {
    fileprivate var isOfRate: Bool {
        switch self {
        case .ratePolicy, .targetRate: true
        case .overwrite, .resume: false
        }
    }

    /// The change in words, such as `to overwrite never`.
    var words: String {
        switch self {
        case .overwrite(let policy): "to overwrite \(policy.rawValue)"
        case .resume(let policy): "to resume by \(policy.rawValue)"
        case .ratePolicy(let policy): "to share the link as \(policy.rawValue)"
        case .targetRate(let rate): "to go at \(Bitrate(bitsPerSecond: rate))"
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
        if transport != usual.transport { words.append("goes by \(transport.rawValue)") }
        if rate != usual.rate {
            let minimum =
                rate.minimum > 0
                ? " and at least \(Bitrate(bitsPerSecond: rate.minimum))" : ""
            words.append(
                "wants a \(rate.policy.rawValue) rate of "
                    + "\(Bitrate(bitsPerSecond: rate.target))\(minimum)"
                    + (transport == .http
                        ? ", which is for the paced transport: over HTTP TCP sets the rate" : ""))
        }
        return words.map { ", \($0)" }.joined()
    }
}
