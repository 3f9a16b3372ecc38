import LinkModels
import Quantities

/// The filter stages of a link's direction: each is a key of its own, or an entry of the list
/// `stages` in the order in which packets pass.
enum StageKeys {
    /// The keys, in the order in which packets pass single stages.
    static let table = KeyTable<[FilterPlan]>(
        name: "a stage",
        keys: [
            .optional("mtu", .size, "larger packets vanish", example: "1280 B") {
                node, stages, mistakes in
                let limit = FilterKeys.sizeLimit(node, mistakes: &mistakes)
                stages += limit.map { [.sizeLimit($0)] } ?? []
            },
            .optional(
                "loss", FilterKeys.lossShape,
                "packets that are lost: `2 %`, or one of the models below, or a list of them",
                example: "2 %"
            ) {
                node, stages, mistakes in
                stages += FilterKeys.losses(node, mistakes: &mistakes)
            },
            .optional("corrupt", .percentage, "packets that arrive damaged", example: "0.1 %") {
                node, stages, mistakes in
                let chance = FilterKeys.chance(node, mistakes: &mistakes)
                stages += chance.map { [.corruption($0)] } ?? []
            },
            .optional("duplicate", .percentage, "packets that come twice", example: "0.1 %") {
                node, stages, mistakes in
                let chance = FilterKeys.chance(node, mistakes: &mistakes)
                stages += chance.map { [.duplication($0)] } ?? []
            },
            .optional("black-hole", RateKeys.windowShape, "packets sent during this time vanish") {
                node, stages, mistakes in
                let options = RateKeys.window(node, mistakes: &mistakes)
                stages +=
                    options.map {
                        [.blackHole(.init(from: .start + $0.from, until: .start + $0.to))]
                    } ?? []
            },
            .optional(
                "reorder", DelayKeys.reorderingShape, "some packets are held back and overtaken",
                example: "{ chance: 1 %, by: 5 ms }"
            ) {
                node, stages, mistakes in
                let options = DelayKeys.reordering(node, mistakes: &mistakes)
                stages += options.map { [.reordering($0)] } ?? []
            },
            .optional(
                "jitter", DelayKeys.jitterShape,
                "a random extra delay: `10 ms` (uniform, and packets keep "
                    + "their order), or a distribution",
                example: "{ normal: { mean: 10 ms, deviation: 3 ms } }"
            ) {
                node, stages, mistakes in
                let distribution = DelayKeys.jitter(node, mistakes: &mistakes)
                stages += distribution.map { [.jitter($0)] } ?? []
            },
        ])

    /// The keys of a direction: each overrides the profile's stages of its kind.
    static let alone: [KeyTable<LinkDraft>.Key] = table.keys.map { key in
        KeyTable<LinkDraft>.Key.optional(
            key.name, key.shape, key.about, example: key.example
        ) {
            node, link, mistakes in
            link.filters.removeAll { $0.kind == key.name }
            link.namedStages.append(key.name)
            key.read(node, &link.filters, &mistakes)
        }
    }

    /// The list; its stages come after the profile's and after single ones.
    static let list = KeyTable<LinkDraft>.Key.optional(
        "stages", .list(of: table.shape),
        "stages in an order of your own; a kind may occur more than once",
        example: "[loss: 1 %, jitter: 5 ms, loss: 0.1 %]"
    ) { node, link, mistakes in
        guard let items = mistakes.items(of: node, expected: expectation) else { return }
        if items.isEmpty {
            mistakes.add("a list without a stage", at: node.place, expected: expectation)
        }
        for item in items { readStage(item, &link, &mistakes) }
    }

    private static let expectation =
        "a list of stages, such as [loss: 1 %, jitter: 5 ms, loss: 2 %]"

    private static func readStage(
        _ item: YAMLNode, _ link: inout LinkDraft, _ mistakes: inout Mistakes
    ) {
        let one = "one stage, such as “- loss: 1 %”"
        guard let pairs = mistakes.pairs(of: item, expected: one) else { return }
        if pairs.count > 1 {
            return mistakes.add(
                "\(pairs.count) stages in one", at: item.place,
                expected: "a separate item for each, because their order matters")
        }
        if let stage = pairs.first?.key, link.namedStages.contains(stage.text) {
            return mistakes.add(
                "“\(stage.text)” is given both beside “stages” and in it", at: stage.place,
                expected: "either the key alone, or all such stages in the list")
        }
        table.read(item, into: &link.filters, mistakes: &mistakes)
    }
}
