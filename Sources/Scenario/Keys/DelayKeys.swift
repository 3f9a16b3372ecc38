import LinkModels
import Quantities

/// The keys of a link's direction for delay, jitter and reordering.
enum DelayKeys {
    private static let longestDelay = TimeSpan.seconds(3_600)

    static func delay(_ node: YAMLNode, mistakes: inout Mistakes) -> TimeSpan? {
        guard let words = mistakes.text(of: node, expected: Measure.time.expectation),
            let delay = mistakes.time(words)
        else { return nil }
        guard delay <= longestDelay else {
            mistakes.add(
                "a delay of \(delay) one way", at: words.place, expected: "at most \(longestDelay)")
            return nil
        }
        return delay
    }

    // MARK: Jitter

    static let jitterShape = Shape.either([.time, distributions.shape])
    static var reorderingShape: Shape { reorderings.shape }

    /// Reads `10 ms`, which is uniform, or a distribution with its parameters.
    static func jitter(_ node: YAMLNode, mistakes: inout Mistakes) -> Jitter.Distribution? {
        guard case .mapping = node.content else {
            return delay(node, mistakes: &mistakes).map { .uniform($0) }
        }
        var draft: [Jitter.Distribution] = []
        let known = mistakes.count
        distributions.read(node, into: &draft, mistakes: &mistakes)
        if draft.count > 1, mistakes.count == known {
            mistakes.add(
                "\(draft.count) distributions in one entry", at: node.place, expected: "one of them"
            )
        }
        return draft.first
    }

    private static let distributions = KeyTable<[Jitter.Distribution]>(
        name: "“jitter”",
        keys: [
            .optional("uniform", .time, "at most this much extra delay") { node, draft, mistakes in
                draft += delay(node, mistakes: &mistakes).map { [.uniform($0)] } ?? []
            },
            .optional("normal", normals.shape, "a normally distributed extra delay") {
                node, draft, mistakes in
                var normal = NormalDraft()
                normals.read(node, into: &normal, mistakes: &mistakes)
                guard let mean = normal.mean, let deviation = normal.deviation else { return }
                draft.append(.normal(mean: mean, deviation: deviation))
            },
            .optional("pareto", .time, "a heavy-tailed extra delay with this average") {
                node, draft, mistakes in
                draft += delay(node, mistakes: &mistakes).map { [.pareto(mean: $0)] } ?? []
            },
        ])

    private struct NormalDraft {
        var mean: TimeSpan?
        var deviation: TimeSpan?
    }

    private static let normals = KeyTable<NormalDraft>(
        name: "“normal”",
        keys: [
            .required("mean", .time, "the average extra delay", example: "10 ms") {
                node, draft, mistakes in
                draft.mean = delay(node, mistakes: &mistakes)
            },
            .required("deviation", .time, "the standard deviation", example: "3 ms") {
                node, draft, mistakes in
                draft.deviation = delay(node, mistakes: &mistakes)
            },
        ])

    // MARK: Reordering

    static func reordering(
        _ node: YAMLNode, mistakes: inout Mistakes
    ) -> Reordering? {
        var draft = ReorderingDraft()
        reorderings.read(node, into: &draft, mistakes: &mistakes)
        guard let chance = draft.chance, let hold = draft.hold else { return nil }
        return Reordering(chance: chance, hold: hold)
    }

    private struct ReorderingDraft {
        var chance: Probability?
        var hold: TimeSpan?
    }

    private static let reorderings = KeyTable<ReorderingDraft>(
        name: "“reorder”",
        keys: [
            .required("chance", .percentage, "how many packets are held back", example: "1 %") {
                node, draft, mistakes in
                draft.chance = FilterKeys.chance(node, mistakes: &mistakes)
            },
            .required("by", .time, "for how long", example: "5 ms") { node, draft, mistakes in
                draft.hold = delay(node, mistakes: &mistakes)
            },
        ])
}
