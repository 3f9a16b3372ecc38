import LinkModels
import Quantities

/// The key `queue` of a link's direction: a limit, or a discipline with its parameters.
struct QueueDraft {
    var discipline: Discipline?
    var limit: ByteCount?
    /// The limit was written as a number of packets.
    var isLimitInPackets = false
    var target: TimeSpan?
    var interval: TimeSpan?

    enum Discipline: String, CaseIterable {
        case dropTail = "drop-tail"
        case dropHead = "drop-head"
        case coDel = "codel"
        case fairQueueCoDel = "fq-codel"
        case pie
        case red
    }

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

    /// The plan; `open` is the limit where the scenario leaves it open.
    func plan(open: ByteCount) -> BottleneckPlan.Queue {
        let limit = limit ?? open
        var options = CoDel.Options()
        options.target = target ?? options.target
        options.interval = interval ?? options.interval
        switch discipline {
        case nil: return .dropTail(limit: limit)
        case .dropTail:
            guard isLimitInPackets else { return .dropTail(limit: limit) }
            return .dropTailPackets(Int(limit.bytes / LinkDraft.packetSize.bytes))
        case .dropHead: return .disciplined(.dropHead, limit: limit)
        case .coDel: return .disciplined(.coDel(options), limit: limit)
        case .fairQueueCoDel: return .disciplined(.fairQueueCoDel(options), limit: limit)
        case .pie: return .disciplined(.pie(target: target ?? Self.pieTarget), limit: limit)
        case .red:
            let options = RED.Options(
                lower: ByteCount(limit.bytes / 6), upper: ByteCount(limit.bytes / 2),
                highest: Self.redChance)
            return .disciplined(.red(options), limit: limit)
        }
    }

    /// RFC 8033 §4.2.
    private static let pieTarget = TimeSpan.milliseconds(15)
    /// At the upper threshold, three times the lower as the authors advise.
    private static let redChance = Probability(percent: 10) ?? .always

    private static let keys = KeyTable<QueueDraft>(
        name: "a queue",
        keys: [
            .required("discipline", example: "codel", read: readDiscipline),
            .optional("limit", read: readLimit),
            .optional("target") { node, draft, mistakes in
                draft.target = positive(
                    node, of: draft, [.coDel, .fairQueueCoDel, .pie], &mistakes)
            },
            .optional("interval") { node, draft, mistakes in
                draft.interval = positive(node, of: draft, [.coDel, .fairQueueCoDel], &mistakes)
            },
        ])

    private static func readDiscipline(
        _ node: YAMLNode, draft: inout QueueDraft, mistakes: inout Mistakes
    ) {
        let names = Discipline.allCases.map(\.rawValue)
        let expectation = "one of \(names.list)"
        guard let words = mistakes.text(of: node, expected: expectation) else { return }
        draft.discipline = Discipline(rawValue: words.text)
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

    private static func positive(
        _ node: YAMLNode, of draft: QueueDraft, _ disciplines: [Discipline],
        _ mistakes: inout Mistakes
    ) -> TimeSpan? {
        guard let span = DelayKeys.delay(node, mistakes: &mistakes) else { return nil }
        guard let discipline = draft.discipline else { return nil }
        guard disciplines.contains(discipline), span > .zero else {
            mistakes.add(
                "\(span) is nothing that \(discipline.rawValue) could aim at", at: node.place,
                expected: "a time above 0, with one of \(disciplines.map(\.rawValue).list)")
            return nil
        }
        return span
    }
}
