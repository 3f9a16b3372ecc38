import LinkModels
import Quantities

/// The key `queue` of a link's direction: a limit, or a discipline with its parameters.
///
/// Each parameter belongs to some disciplines, and is refused with others.
enum DisciplineKeys {
    static let shape = Shape.either([limitShape, keys.shape])

    private static let limitShape = Shape.either([
        .size, .matching("[0-9]+ packets?", example: "33 packets"),
    ])

    static func read(_ node: YAMLNode) -> QueueDraft {
        var draft = QueueDraft()
        if case .mapping = node.content {
            keys.read(node, into: &draft)
        } else {
            readLimit(node, draft: &draft)
            draft.isLimitInPackets = false
        }
        return draft
    }

    private typealias Key = KeyTable<QueueDraft>.Key

    private static let keys = KeyTable<QueueDraft>(
        name: "a queue",
        keys: [
            .required(
                "discipline", .choice(of: QueueDraft.Discipline.self),
                "which packets are dropped, and when", example: "codel", \.discipline
            ) { $0.choice(complaint: "there is no queue discipline") },
            .optional("limit", limitShape, "how much it can hold", read: readLimit),
        ] + parameters.flatMap { keys(of: $0.owners, $0.keys) })

    /// Parameters, with the disciplines that have them.
    private static let parameters: [(owners: [QueueDraft.Discipline], keys: [Key])] = [
        (
            [.coDel, .fairQueueCoDel, .pie, .dualPI2, .cake],
            [
                .optional(
                    "target", .time, "the queueing delay that it aims for", \.target, read: span)
            ]
        ),
        (
            [.coDel, .fairQueueCoDel, .cake],
            [
                .optional(
                    "interval", .time, "how long the delay may exceed the target", \.interval,
                    read: span)
            ]
        ),
        (
            [.coDel, .fairQueueCoDel],
            [
                .optional(
                    "mark-threshold", .time,
                    "the delay beyond which it marks every packet that can be marked, as DCTCP "
                        + "asks for", \.markThreshold, read: span)
            ]
        ),
        (
            [.pie, .dualPI2],
            [
                .optional(
                    "update", .time, "how often it updates its drop chance", \.update, read: span)
            ]
        ),
        (
            [.pie],
            [
                .optional(
                    "burst", .time, "how long a burst passes without drops", \.burst,
                    read: DelayKeys.delay)
            ]
        ),
        ([.fairQueueCoDel], fairQueue),
        (
            [.cake],
            [
                .optional(
                    "shares", .choice(of: QueueDraft.Shares.self), "who has equal shares of it",
                    example: "flows", \.shares
                ) { $0.choice(complaint: "nobody has a share by") }
            ]
        ),
        (
            [.dualPI2],
            [
                .optional(
                    "step", .time, "the delay beyond which it marks every packet with ECT(1)",
                    \.step, read: span)
            ]
        ),
        (
            [.pie, .dualPI2],
            [
                .optional(
                    "alpha", .decimal, "the weight of the delay", \.alpha, read: thousandths),
                .optional(
                    "beta", .decimal, "the weight of the delay's change", \.beta,
                    read: thousandths),
            ]
        ),
        ([.red], thresholds),
        (
            [.coDel, .fairQueueCoDel, .pie, .red],
            [.onOff("ecn", "whether it marks instead of dropping", \.marks)]
        ),
    ]

    private static let fairQueue: [Key] = [
        .optional("flows", .number, "the number of sub-queues", \.flows) {
            let expectation = "a number of sub-queues from 1 to \(QueueDraft.mostFlows)"
            let flows = $0.count(in: 1...QueueDraft.mostFlows, expectation) { "\($0) lines" }
            return flows.map { Int($0) }
        },
        .optional("quantum", .size, "what a sub-queue sends in its turn", \.quantum) {
            let expectation = "a size such as 300 B, up to \(QueueDraft.largestQuantum)"
            let quantum = $0.text(expected: expectation)?.size(expected: expectation) {
                $0 > .zero && $0 <= QueueDraft.largestQuantum ? nil : "a quantum of \($0)"
            }
            return quantum.map { Int($0.bytes) }
        },
    ]

    private static let thresholds: [Key] = [
        .optional("min", .size, "the average at which dropping begins", \.lower) {
            $0.size("a size such as 30 kB")
        },
        .optional("max", .size, "the average at which dropping reaches “chance”") { node, draft in
            draft.upper = node.size("a size such as 30 kB")
            guard let lower = draft.lower, let upper = draft.upper, lower >= upper else { return }
            node.refuse(
                "there is no room between the thresholds \(lower) and \(upper)",
                expected: "“max” above “min”")
        },
        .optional("chance", .percentage, "the chance of a drop at “max”", \.chance) {
            $0.chance()
        },
        .optional("weight", .percentage, "the newest packet's weight in the average", \.weight) {
            $0.checked($0.chance(), expected: "a percentage above 0, such as 0.2 %") {
                $0 == .never ? "an average in which no packet counts" : nil
            }
        },
    ]

    // MARK: How they are read

    /// Returns keys that are refused with other disciplines.
    private static func keys(of owners: [QueueDraft.Discipline], _ keys: [Key]) -> [Key] {
        keys.map { key in
            Key(form: key.form) { node, draft in
                guard let discipline = draft.discipline else { return }
                guard owners.contains(discipline) else {
                    let name = key.form.name
                    return node.refuse(
                        "\(discipline.rawValue) has no “\(name)”",
                        expected: "“\(name)” with \(owners.map(\.rawValue).list) only")
                }
                key.read(node, &draft)
            }
        }
    }

    private static func readLimit(_ node: YAMLNode, draft: inout QueueDraft) {
        let expectation = "a limit such as 50 kB or 33 packets"
        guard let words = node.text(expected: expectation) else { return }
        draft.limit = words.queueLimit()
        draft.isLimitInPackets = words.text.hasSuffix("packets") || words.text.hasSuffix("packet")
    }

    private static func span(_ node: YAMLNode) -> TimeSpan? {
        node.checked(DelayKeys.delay(node), expected: "a time above 0") {
            $0 > .zero ? nil : "no time at all"
        }
    }

    /// Reads a factor per second in thousandths.
    private static func thousandths(_ node: YAMLNode) -> UInt64? {
        let expectation =
            "a factor per second such as 0.125, up to 1000, with at most three decimals"
        guard let words = node.text(expected: expectation) else { return nil }
        if let number = DecimalNumber(words.text), case .whole(let value) = number.times(1_000),
            value <= 1_000_000
        {
            return value
        }
        return words.refuse("“\(words.text)” is not such a factor", expected: expectation)
    }
}
