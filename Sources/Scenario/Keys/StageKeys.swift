import LinkModels
import Quantities

/// The filter stages of a link's direction: each is a key of its own, or an entry of the list
/// `stages` in the order in which packets pass.
enum StageKeys {
    /// The keys, in the order in which packets pass single stages.
    static let table = KeyTable<[FilterPlan]>(
        name: "a stage",
        keys: [
            .optional(
                "mtu", FilterKeys.sizeLimitShape,
                "the largest packet that passes, and which hosts know: `1280 B`; or one that they "
                    + "have to find out",
                example: "{ size: 1280 B, told: never }"
            ) { node, stages in
                let limit = FilterKeys.sizeLimit(node)
                stages += limit.map { [.sizeLimit($0)] } ?? []
            },
            .optional(
                "loss", FilterKeys.lossShape,
                "packets that are lost: `2 %`, or one of the models below, or a list of them",
                example: "2 %"
            ) { node, stages in
                stages += FilterKeys.losses(node)
            },
            .optional("corrupt", .percentage, "packets that arrive damaged", example: "0.1 %") {
                node, stages in
                let chance = node.chance()
                stages += chance.map { [.corruption($0)] } ?? []
            },
            .optional("duplicate", .percentage, "packets that come twice", example: "0.1 %") {
                node, stages in
                let chance = node.chance()
                stages += chance.map { [.duplication($0)] } ?? []
            },
            .optional("black-hole", RateKeys.windowShape, "packets sent during this time vanish") {
                node, stages in
                let options = RateKeys.window(node)
                stages +=
                    options.map {
                        [.blackHole(.init(from: .start + $0.from, until: .start + $0.to))]
                    } ?? []
            },
            .optional(
                "satellites", SatelliteKeys.shape,
                "satellites that take turns, each with another length of the way",
                example: "{ every: 15 s, outage: 60 ms, detour: 20 ms }"
            ) { node, stages in
                stages += SatelliteKeys.read(node).map { [.satelliteHandOver($0)] } ?? []
            },
            .optional(
                "reorder", DelayKeys.reorderingShape,
                "some packets are held back and overtaken, or with `gap` jump ahead",
                example: "{ chance: 1 %, by: 5 ms }"
            ) { node, stages in
                let options = DelayKeys.reordering(node)
                stages += options.map { [$0] } ?? []
            },
            .optional(
                "jitter", DelayKeys.jitterShape,
                "a random extra delay: `10 ms` (uniform, and packets keep "
                    + "their order), or a distribution",
                example: "{ normal: { mean: 10 ms, deviation: 3 ms } }"
            ) { node, stages in
                let distribution = DelayKeys.jitter(node)
                stages += distribution.map { [.jitter($0)] } ?? []
            },
        ])

    /// The keys of a direction: each overrides the profile's stages of its kind.
    static let alone = table.keys.map { key in
        KeyTable<LinkDraft>.Key(form: key.form) { node, link in
            link.filters.removeAll { $0.kind == key.form.name }
            link.namedStages.append(key.form.name)
            key.read(node, &link.filters)
        }
    }

    /// The list; its stages come after the profile's and after single ones.
    static let list = KeyTable<LinkDraft>.Key.optional(
        "stages", .list(of: table.shape),
        "stages in an order of your own; a kind may occur more than once",
        example: "[loss: 1 %, jitter: 5 ms, loss: 0.1 %]"
    ) { node, link in
        let items = node.items(orElse: "a list without a stage", expected: expectation)
        for item in items ?? [] { readStage(item, &link) }
    }

    private static let expectation =
        "a list of stages, such as [loss: 1 %, jitter: 5 ms, loss: 2 %]"

    private static func readStage(_ item: YAMLNode, _ link: inout LinkDraft) {
        let stage = item.entry(
            expected: "one stage, such as “- loss: 1 %”", of: "stages",
            remedy: "a separate item for each, because their order matters")?.key
        guard let stage else { return }
        if link.namedStages.contains(stage.text) {
            return stage.refuse(
                "“\(stage.text)” is given both beside “stages” and in it",
                expected: "either the key alone, or all such stages in the list")
        }
        table.read(item, into: &link.filters)
    }
}
