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

    static func read(_ node: YAMLNode, mistakes: inout Mistakes) -> QueueDraft {
        var draft = QueueDraft()
        if case .mapping = node.content {
            keys.read(node, into: &draft, mistakes: &mistakes)
        } else {
            readLimit(node, draft: &draft, mistakes: &mistakes)
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
                "which packets are dropped, and when",
                example: "codel", read: readDiscipline),
            .optional("limit", limitShape, "how much it can hold", read: readLimit),
        ] + times + counts + thresholds)

    private static let times: [Key] = [
        parameter(
            "target", .time, "the queueing delay that it aims for",
            of: [.coDel, .fairQueueCoDel, .pie]
        ) { node, draft, mistakes in
            draft.target = span(node, &mistakes)
        },
        parameter(
            "interval", .time, "how long the delay may exceed the target",
            of: [.coDel, .fairQueueCoDel]
        ) {
            node, draft, mistakes in
            draft.interval = span(node, &mistakes)
        },
        parameter("update", .time, "how often it updates its drop chance", of: [.pie]) {
            node, draft, mistakes in
            draft.update = span(node, &mistakes)
        },
        parameter("burst", .time, "how long a burst passes without drops", of: [.pie]) {
            node, draft, mistakes in
            draft.burst = DelayKeys.delay(node, mistakes: &mistakes)
        },
    ]

    private static let counts: [Key] = [
        parameter("flows", .number, "the number of sub-queues", of: [.fairQueueCoDel]) {
            node, draft, mistakes in
            let expectation = "a number of sub-queues from 1 to \(QueueDraft.mostFlows)"
            guard let words = mistakes.text(of: node, expected: expectation),
                let count = mistakes.count(words, expectation)
            else { return }
            guard (1...QueueDraft.mostFlows).contains(count) else {
                return mistakes.add(
                    "\(count) lines", at: words.place, expected: expectation)
            }
            draft.flows = Int(count)
        },
        parameter("quantum", .size, "what a sub-queue sends in its turn", of: [.fairQueueCoDel]) {
            node, draft, mistakes in
            let expectation = "a size such as 300 B, up to \(QueueDraft.largestQuantum)"
            guard let words = mistakes.text(of: node, expected: expectation),
                let size = mistakes.size(words)
            else { return }
            guard size > .zero, size <= QueueDraft.largestQuantum else {
                return mistakes.add("a quantum of \(size)", at: words.place, expected: expectation)
            }
            draft.quantum = Int(size.bytes)
        },
        parameter("alpha", .decimal, "the weight of the delay", of: [.pie]) {
            node, draft, mistakes in
            draft.alpha = thousandths(node, &mistakes)
        },
        parameter("beta", .decimal, "the weight of the delay's change", of: [.pie]) {
            node, draft, mistakes in
            draft.beta = thousandths(node, &mistakes)
        },
    ]

    private static let thresholds: [Key] = [
        parameter("min", .size, "the average at which dropping begins", of: [.red]) {
            node, draft, mistakes in
            draft.lower = size(node, &mistakes)
        },
        parameter("max", .size, "the average at which dropping reaches “chance”", of: [.red]) {
            node, draft, mistakes in
            guard let upper = size(node, &mistakes) else { return }
            draft.upper = upper
            guard let lower = draft.lower, lower >= upper else { return }
            mistakes.add(
                "there is no room between the thresholds \(lower) and \(upper)", at: node.place,
                expected: "“max” above “min”")
        },
        parameter("chance", .percentage, "the chance of a drop at “max”", of: [.red]) {
            node, draft, mistakes in
            draft.chance = FilterKeys.chance(node, mistakes: &mistakes)
        },
        parameter("weight", .percentage, "the newest packet's weight in the average", of: [.red]) {
            node, draft, mistakes in
            let weight = FilterKeys.chance(node, mistakes: &mistakes)
            if weight == .never {
                mistakes.add(
                    "an average in which no packet counts", at: node.place,
                    expected: "a percentage above 0, such as 0.2 %")
            }
            draft.weight = weight
        },
        parameter(
            "ecn", .onOff, "whether it marks instead of dropping",
            of: [.coDel, .fairQueueCoDel, .pie, .red]
        ) { node, draft, mistakes in
            draft.marks = mistakes.isOn(node) ?? false
        },
    ]

    // MARK: How they are read

    /// Makes a key that belongs to some disciplines.
    private static func parameter(
        _ name: String, _ shape: Shape, _ about: String, of disciplines: [QueueDraft.Discipline],
        read: @escaping KeyTable<QueueDraft>.Read
    ) -> Key {
        .optional(name, shape, about) { node, draft, mistakes in
            guard let discipline = draft.discipline else { return }
            guard disciplines.contains(discipline) else {
                let owners = disciplines.map(\.rawValue).list
                return mistakes.add(
                    "\(discipline.rawValue) has no “\(name)”", at: node.place,
                    expected: "“\(name)” with \(owners) only")
            }
            read(node, &draft, &mistakes)
        }
    }

    private static func readDiscipline(
        _ node: YAMLNode, draft: inout QueueDraft, mistakes: inout Mistakes
    ) {
        let names = QueueDraft.Discipline.allCases.map(\.rawValue)
        let expectation = "one of \(names.list)"
        guard let words = mistakes.text(of: node, expected: expectation) else { return }
        draft.discipline = QueueDraft.Discipline(rawValue: words.text)
        guard draft.discipline == nil else { return }
        let nearest = Spelling.nearest(to: words.text, among: names)
        mistakes.add(
            "there is no queue discipline “\(words.text)”", at: words.place, expected: expectation,
            suggestion: nearest.map { "“\($0)”" })
    }

    private static func readLimit(
        _ node: YAMLNode, draft: inout QueueDraft, mistakes: inout Mistakes
    ) {
        let expectation = "a limit such as 50 kB or 33 packets"
        guard let words = mistakes.text(of: node, expected: expectation) else { return }
        draft.limit = mistakes.queueLimit(words)
        draft.isLimitInPackets = words.text.hasSuffix("packets") || words.text.hasSuffix("packet")
    }

    private static func size(_ node: YAMLNode, _ mistakes: inout Mistakes) -> ByteCount? {
        mistakes.text(of: node, expected: "a size such as 30 kB").flatMap { mistakes.size($0) }
    }

    private static func span(_ node: YAMLNode, _ mistakes: inout Mistakes) -> TimeSpan? {
        guard let span = DelayKeys.delay(node, mistakes: &mistakes) else { return nil }
        guard span > .zero else {
            mistakes.add("no time at all", at: node.place, expected: "a time above 0")
            return nil
        }
        return span
    }

    /// Reads a factor per second in thousandths.
    private static func thousandths(_ node: YAMLNode, _ mistakes: inout Mistakes) -> UInt64? {
        let expectation =
            "a factor per second such as 0.125, up to 1000, with at most three decimals"
        guard let words = mistakes.text(of: node, expected: expectation) else { return nil }
        if let number = DecimalNumber(words.text), case .whole(let value) = number.times(1_000),
            value <= 1_000_000
        {
            return value
        }
        mistakes.add("“\(words.text)” is not such a factor", at: words.place, expected: expectation)
        return nil
    }
}
