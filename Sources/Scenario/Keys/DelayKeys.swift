import LinkModels
import Quantities

/// The keys of a link's direction for delay, jitter and reordering.
enum DelayKeys {
    private static let longestDelay = TimeSpan.seconds(3_600)

    static func delay(_ node: YAMLNode) -> TimeSpan? {
        node.text(expected: Measure.time.expectation)?.time(expected: "at most \(longestDelay)") {
            $0 > longestDelay ? "a delay of \($0) one way" : nil
        }
    }

    // MARK: Delays that change

    private static let stepExample = "{ 0 s: 20 ms, 15 s: 60 ms }"

    static let courseShape = Shape.either([
        .time, .mapping(of: .time, to: .time), traces.shape,
    ])

    /// Reads `20 ms`, steps by their moments, or `{ trace: FILE }`.
    static func readDelay(_ node: YAMLNode, link: inout LinkDraft) {
        guard case .mapping(let pairs) = node.content else {
            link.delay = delay(node)
            link.delays = nil
            return
        }
        var course: DelayCourse?
        if pairs.first?.key.isScalar("trace") == true {
            traces.read(node, into: &course)
        } else {
            course = steps(node)
        }
        link.delays = course
        link.delay = course?.least
    }

    private static func steps(_ node: YAMLNode) -> DelayCourse? {
        let expectation = "moments with delays, such as \(stepExample)"
        guard let pairs = node.pairs(expected: expectation) else { return nil }
        let known = node.mistakes.count
        let steps = pairs.compactMap { pair -> DelayCourse.Step? in
            let (from, delay) = (pair.key.time(), delay(pair.value))
            return both(from, delay).map { DelayCourse.Step(from: $0, delay: $1) }
        }
        guard node.mistakes.count == known else { return nil }
        return DelayCourse(steps)
            ?? node.refuse(
                "these moments are not in order",
                expected: "rising moments from 0 s on: \(stepExample)")
    }

    private static let traces = KeyTable<DelayCourse?>(
        name: "a delay by a trace",
        keys: [
            .required(
                "trace", .text,
                "a file by its path from here, with two numbers on each line: a moment and the "
                    + "delay from then on, in milliseconds",
                example: "traces/satellite.delays"
            ) { node, course in
                let words = node.text(expected: "the path of a trace of delays")
                course = words.flatMap(node.mistakes.traces.delay)
            }
        ])

    // MARK: Jitter

    static let jitterShape = Shape.either([.time, distributions.shape])
    static var reorderingShape: Shape { reorderings.shape }

    /// Reads `10 ms`, which is uniform, or a distribution with its parameters.
    static func jitter(_ node: YAMLNode) -> Jitter.Distribution? {
        guard case .mapping = node.content else { return delay(node).map { .uniform($0) } }
        var draft: [Jitter.Distribution] = []
        let known = node.mistakes.count
        distributions.read(node, into: &draft)
        if draft.count > 1, node.mistakes.count == known {
            node.refuse("\(draft.count) distributions in one entry", expected: "one of them")
        }
        return draft.first
    }

    private static let distributions = KeyTable<[Jitter.Distribution]>(
        name: "“jitter”",
        keys: [
            .optional("uniform", .time, "at most this much extra delay") { node, draft in
                draft += delay(node).map { [.uniform($0)] } ?? []
            },
            .optional("normal", normals.shape, "a normally distributed extra delay") {
                node, draft in
                var spans: [String: TimeSpan] = [:]
                normals.read(node, into: &spans)
                draft +=
                    both(spans["mean"], spans["deviation"])
                    .map { [.normal(mean: $0, deviation: $1)] } ?? []
            },
            .optional("pareto", .time, "a heavy-tailed extra delay with this average") {
                node, draft in
                draft += delay(node).map { [.pareto(mean: $0)] } ?? []
            },
        ])

    private static let normals = spans(
        of: "“normal”",
        [
            ("mean", "the average extra delay", "10 ms"),
            ("deviation", "the standard deviation", "3 ms"),
        ])

    /// Makes a table of required spans of time, from their names, meanings and examples.
    static func spans(
        of name: String, _ keys: [(name: String, about: String, example: String)]
    ) -> KeyTable<[String: TimeSpan]> {
        KeyTable(
            name: name,
            keys: keys.map { key in
                .required(key.name, .time, key.about, example: key.example) { node, spans in
                    spans[key.name] = delay(node)
                }
            })
    }

    // MARK: Reordering

    static func reordering(_ node: YAMLNode) -> FilterPlan? {
        var draft = ReorderingDraft()
        reorderings.read(node, into: &draft)
        guard let (chance, hold) = both(draft.chance, draft.hold) else { return nil }
        guard let gap = draft.gap else {
            guard draft.correlation == nil else {
                return node.refuse(
                    "“correlation” without “gap”",
                    expected: "“gap” beside it, as in netem: { gap: 5, chance: 25 %, "
                        + "correlation: 50 %, by: 10 ms }")
            }
            return .reordering(.init(chance: chance, hold: hold))
        }
        return .gapReordering(
            .init(
                gap: gap, chance: chance, correlation: draft.correlation ?? .never, lead: hold))
    }

    private struct ReorderingDraft {
        var chance: Probability?
        var hold: TimeSpan?
        var gap: UInt64?
        var correlation: Probability?
    }

    private static let reorderings = KeyTable<ReorderingDraft>(
        name: "“reorder”",
        keys: [
            .required(
                "chance", .percentage, "how many packets are held back", example: "1 %", \.chance
            ) { $0.chance() },
            .required("by", .time, "for how long", example: "5 ms", \.hold, read: delay),
            .optional(
                "gap", .number,
                "as netem's: every nth packet jumps ahead with this chance, and all others come "
                    + "so much later", \.gap
            ) { $0.count(in: 1..., "a number of packets such as 5") { _ in "every 0th packet" } },
            .optional(
                "correlation", .percentage,
                "with `gap`: how likely a draw is like the one before it", \.correlation
            ) { $0.chance() },
        ])
}
