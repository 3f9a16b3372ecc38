import LinkModels
import Quantities

/// The keys of a link's direction that lose, duplicate or damage packets.
enum FilterKeys {
    static let lossExpectation =
        "a percentage such as 2 %, or a model such as { gilbert-elliott: { p: 0.02 %, r: 25 % } }"

    static let lossShape = Shape.oneOrSeveral(.either([.percentage, lossModels.shape]))

    /// Reads a percentage, a model, or a list of them.
    static func losses(_ node: YAMLNode) -> [FilterPlan] {
        node.oneOrSeveral.flatMap(loss)
    }

    static let sizeLimitShape = Shape.either([.size, sizeLimits.shape])

    /// Reads `1280 B`, or `{ size: 1280 B, told: never }`.
    static func sizeLimit(_ node: YAMLNode) -> SizeLimit? {
        guard case .mapping = node.content else { return size(node).map { SizeLimit($0) } }
        var draft = SizeLimitDraft()
        sizeLimits.read(node, into: &draft)
        return draft.size.map { SizeLimit($0, told: draft.told) }
    }

    private struct SizeLimitDraft {
        var size: ByteCount?
        var told = SizeLimit.Told.byInterface
    }

    private static let sizeLimits = KeyTable<SizeLimitDraft>(
        name: "“mtu”",
        keys: [
            .required("size", .size, "the largest packet that passes", example: "1280 B", \.size) {
                size($0)
            },
            .choice(
                "told",
                "how senders learn of it: `by-interface` from the start, `by-router` when a "
                    + "larger packet is dropped, `never`: larger packets vanish without a word",
                complaint: "there is no way to learn", \.told),
        ])

    private static func size(_ node: YAMLNode) -> ByteCount? {
        node.text(expected: "a size such as 1280 B")?.size(
            expected: "at least \(leastSizeLimit), which every host accepts (RFC 791)"
        ) { $0 < leastSizeLimit ? "an MTU of \($0)" : nil }
    }

    private static let leastSizeLimit = ByteCount(576)

    private static func loss(_ node: YAMLNode) -> [FilterPlan] {
        if case .mapping = node.content {
            var models: [FilterPlan] = []
            let known = node.mistakes.count
            lossModels.read(node, into: &models)
            if models.count > 1, node.mistakes.count == known {
                node.refuse(
                    "\(models.count) loss models in one entry",
                    expected: "one, or a list: [{ … }, { … }]")
            }
            return models
        }
        return node.chance(lossExpectation).map { [.independentLoss($0)] } ?? []
    }

    private static let lossModels = KeyTable<[FilterPlan]>(
        name: "a loss",
        keys: [
            .optional(
                "gilbert-elliott", gilbertElliott.shape, "losses in bursts",
                read: readGilbertElliott),
            .optional(
                "four-state", fourState.shape, "losses in bursts and single losses",
                read: readFourState),
            .optional(
                "netem", netem.shape,
                "correlated loss as in tc, whose actual mean differs from “loss”",
                read: readNetem),
            .optional("every", .number, "every nth packet") { node, models in
                let expectation = "a number of packets such as 100"
                let period = node.count(in: 1..., expectation) { _ in "every 0th packet" }
                models += period.map { [.periodicLoss(period: $0)] } ?? []
            },
            .optional("packets", .list(of: .number), "these packets, counted from 0") {
                node, models in
                models += listed(node).map { [.listedLoss($0)] } ?? []
            },
            .optional(
                "data-packets", .list(of: .number), "these data packets, counted from 0"
            ) { node, models in
                models += listed(node).map { [.listedDataLoss($0)] } ?? []
            },
        ])

    // MARK: The models

    /// The percentages of a model by their keys.
    private typealias Chances = [String: Probability]

    private static func readGilbertElliott(_ node: YAMLNode, models: inout [FilterPlan]) {
        var chances: Chances = [:]
        gilbertElliott.read(node, into: &chances)
        guard let p = chances["p"], let r = chances["r"] else { return }
        var options = GilbertElliottLoss.Options(goodToBad: p, badToGood: r)
        options.lossInGood = chances["good"] ?? options.lossInGood
        options.lossInBad = chances["bad"] ?? options.lossInBad
        models.append(.burstLoss(options))
    }

    private static let gilbertElliott = KeyTable<Chances>(
        name: "“gilbert-elliott”",
        keys: [
            needed("p", "a burst begins", "0.02 %"), needed("r", "a burst ends", "25 %"),
            open("good", "a packet is lost outside of bursts"),
            open("bad", "a packet is lost in a burst"),
        ])

    private static func readFourState(_ node: YAMLNode, models: inout [FilterPlan]) {
        var chances: Chances = [:]
        fourState.read(node, into: &chances)
        guard let p13 = chances["p13"], let p31 = chances["p31"] else { return }
        let options = FourStateLoss.Options(
            p13: p13, p31: p31, p32: chances["p32"] ?? .never, p23: chances["p23"] ?? .always,
            p14: chances["p14"] ?? .never)
        guard options.isChain else {
            return node.refuse(
                "these chances make no valid chain of four states",
                expected: "p13 + p14 and p31 + p32 at most 100 %, and p31 and p23 above 0 %")
        }
        models.append(.fourStateLoss(options))
    }

    private static let fourState = KeyTable<Chances>(
        name: "“four-state”",
        keys: [
            needed("p13", "a burst begins", "1 %"), needed("p31", "a burst ends", "20 %"),
            open("p32", "packets begin to pass within a burst"),
            open("p23", "packets begin to be lost again"),
            open("p14", "a packet is lost on its own"),
        ])

    private static func readNetem(_ node: YAMLNode, models: inout [FilterPlan]) {
        var chances: Chances = [:]
        netem.read(node, into: &chances)
        models +=
            both(chances["loss"], chances["correlation"])
            .map { [.correlatedLoss(.init(chance: $0, correlation: $1))] } ?? []
    }

    private static let netem = KeyTable<Chances>(
        name: "“netem”",
        keys: [
            needed("loss", "a packet is lost", "10 %"),
            needed("correlation", "a packet fares as the one before it", "25 %"),
        ])

    private static func listed(_ node: YAMLNode) -> [UInt64]? {
        let expectation = "a list of packets by index, from 0, such as [12, 13]"
        guard let items = node.items(expected: expectation) else { return nil }
        var indices: [UInt64] = []
        for item in items {
            guard let words = item.text(expected: expectation),
                let index = words.count(expectation)
            else { continue }
            guard indices.last.map({ $0 < index }) ?? true else {
                words.refuse(
                    "“\(words.text)” is not above the index before it",
                    expected: "rising indices, without repetition")
                continue
            }
            indices.append(index)
        }
        return indices
    }

    private static func needed(
        _ name: String, _ about: String, _ example: String
    ) -> KeyTable<Chances>.Key {
        .required(name, .percentage, "the chance that \(about)", example: example) {
            node, chances in
            chances[name] = node.chance()
        }
    }

    private static func open(_ name: String, _ about: String) -> KeyTable<Chances>.Key {
        .optional(name, .percentage, "the chance that \(about)") { node, chances in
            chances[name] = node.chance()
        }
    }
}
