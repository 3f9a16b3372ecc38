import LinkModels
import Quantities

/// The keys of a link's direction that lose, duplicate or damage packets.
enum FilterKeys {
    static let lossExpectation =
        "a percentage such as 2 %, or a model such as { gilbert-elliott: { p: 0.02 %, r: 25 % } }"

    static let lossShape = Shape.oneOrSeveral(.either([.percentage, lossModels.shape]))

    /// Reads a percentage, a model, or a list of them.
    static func losses(_ node: YAMLNode, mistakes: inout Mistakes) -> [FilterPlan] {
        switch node.content {
        case .sequence(let items): items.flatMap { loss($0, mistakes: &mistakes) }
        case .mapping, .scalar, .unreadable: loss(node, mistakes: &mistakes)
        }
    }

    static func chance(_ node: YAMLNode, mistakes: inout Mistakes) -> Probability? {
        guard let words = mistakes.text(of: node, expected: "a percentage such as 2 %") else {
            return nil
        }
        return mistakes.probability(words)
    }

    /// Reads a size limit, which must be above zero, or no connection ever opens.
    static func sizeLimit(_ node: YAMLNode, mistakes: inout Mistakes) -> ByteCount? {
        let expectation = "a size such as 1280 B"
        guard let words = mistakes.text(of: node, expected: expectation),
            let limit = mistakes.size(words)
        else { return nil }
        guard limit >= leastSizeLimit else {
            mistakes.add(
                "an MTU of \(limit)", at: words.place,
                expected: "at least \(leastSizeLimit), which every host accepts (RFC 791)")
            return nil
        }
        return limit
    }

    private static let leastSizeLimit = ByteCount(576)

    private static func loss(_ node: YAMLNode, mistakes: inout Mistakes) -> [FilterPlan] {
        if case .mapping = node.content {
            var models: [FilterPlan] = []
            let known = mistakes.count
            lossModels.read(node, into: &models, mistakes: &mistakes)
            if models.count > 1, mistakes.count == known {
                mistakes.add(
                    "\(models.count) loss models in one entry", at: node.place,
                    expected: "one, or a list: [{ … }, { … }]")
            }
            return models
        }
        guard let words = mistakes.text(of: node, expected: lossExpectation) else { return [] }
        return mistakes.probability(words).map { [.independentLoss($0)] } ?? []
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
            .optional("every", .number, "every nth packet", read: readEvery),
            .optional("packets", .list(of: .number), "these packets, counted from 0") {
                node, models, mistakes in
                models += listed(node, mistakes: &mistakes).map { [.listedLoss($0)] } ?? []
            },
            .optional(
                "data-packets", .list(of: .number), "these data packets, counted from 0"
            ) { node, models, mistakes in
                models += listed(node, mistakes: &mistakes).map { [.listedDataLoss($0)] } ?? []
            },
        ])

    // MARK: The models

    /// The percentages of a model by their keys.
    private typealias Chances = [String: Probability]

    private static func readGilbertElliott(
        _ node: YAMLNode, models: inout [FilterPlan], mistakes: inout Mistakes
    ) {
        var chances: Chances = [:]
        gilbertElliott.read(node, into: &chances, mistakes: &mistakes)
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

    private static func readFourState(
        _ node: YAMLNode, models: inout [FilterPlan], mistakes: inout Mistakes
    ) {
        var chances: Chances = [:]
        fourState.read(node, into: &chances, mistakes: &mistakes)
        guard let p13 = chances["p13"], let p31 = chances["p31"] else { return }
        let options = FourStateLoss.Options(
            p13: p13, p31: p31, p32: chances["p32"] ?? .never, p23: chances["p23"] ?? .always,
            p14: chances["p14"] ?? .never)
        guard options.isChain else {
            mistakes.add(
                "these chances make no valid chain of four states", at: node.place,
                expected: "p13 + p14 and p31 + p32 at most 100 %, and p31 and p23 above 0 %")
            return
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

    private static func readNetem(
        _ node: YAMLNode, models: inout [FilterPlan], mistakes: inout Mistakes
    ) {
        var chances: Chances = [:]
        netem.read(node, into: &chances, mistakes: &mistakes)
        guard let chance = chances["loss"], let correlation = chances["correlation"] else { return }
        models.append(.correlatedLoss(.init(chance: chance, correlation: correlation)))
    }

    private static let netem = KeyTable<Chances>(
        name: "“netem”",
        keys: [
            needed("loss", "a packet is lost", "10 %"),
            needed("correlation", "a packet fares as the one before it", "25 %"),
        ])

    private static func readEvery(
        _ node: YAMLNode, models: inout [FilterPlan], mistakes: inout Mistakes
    ) {
        let expectation = "a number of packets such as 100"
        guard let words = mistakes.text(of: node, expected: expectation),
            let period = mistakes.count(words, expectation)
        else { return }
        guard period > 0 else {
            return mistakes.add("every 0th packet", at: words.place, expected: expectation)
        }
        models.append(.periodicLoss(period: period))
    }

    private static func listed(_ node: YAMLNode, mistakes: inout Mistakes) -> [UInt64]? {
        let expectation = "a list of packets by index, from 0, such as [12, 13]"
        guard let items = mistakes.items(of: node, expected: expectation) else { return nil }
        var indices: [UInt64] = []
        for item in items {
            guard let words = mistakes.text(of: item, expected: expectation),
                let index = mistakes.count(words, expectation)
            else { continue }
            guard indices.last.map({ $0 < index }) ?? true else {
                mistakes.add(
                    "“\(words.text)” is not above the index before it", at: words.place,
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
            node, chances, mistakes in
            chances[name] = chance(node, mistakes: &mistakes)
        }
    }

    private static func open(_ name: String, _ about: String) -> KeyTable<Chances>.Key {
        .optional(name, .percentage, "the chance that \(about)") { node, chances, mistakes in
            chances[name] = chance(node, mistakes: &mistakes)
        }
    }
}
