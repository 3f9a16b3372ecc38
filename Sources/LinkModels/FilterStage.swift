import Quantities

/// The stages that stand before a bottleneck: the catalogue of what `FilterPlan` can ask for.
///
/// An enum with a `switch`, because this is the quickest form for stages that are chosen at run
/// time.
package enum FilterStage: Sendable {
    case independentLoss(IndependentLoss)

    /// A stage draws from a stream of its own, named after its link and its kind.
    package init(_ plan: FilterPlan, seed: UInt64, streamName: String) {
        let random = RandomStream(seed: seed, name: streamName)
        switch plan {
        case .independentLoss(let chance):
            self = .independentLoss(IndependentLoss(chance, random: random))
        }
    }

    package mutating func accept() -> StageVerdict {
        switch self {
        case .independentLoss(var stage):
            let verdict = stage.accept()
            self = .independentLoss(stage)
            return verdict
        }
    }

    /// The stages of a plan; the second of a kind draws from `uplink/loss 2`, and so on, so that
    /// adding it leaves the first as it was.
    package static func row(_ plan: LinkPlan, seed: UInt64) -> [FilterStage] {
        var seen: [String: Int] = [:]
        return plan.filters.map { filter in
            let count = seen[filter.kind, default: 0] + 1
            seen[filter.kind] = count
            let suffix = count == 1 ? "" : " \(count)"
            return FilterStage(
                filter, seed: seed, streamName: "\(plan.name)/\(filter.kind)\(suffix)")
        }
    }
}
