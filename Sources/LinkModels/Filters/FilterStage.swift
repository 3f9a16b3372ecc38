package import Quantities

/// The stages before a bottleneck: the catalogue of what `FilterPlan` can ask for.
/// It is an enum with a `switch`, the fastest form for stages chosen at run time.
package enum FilterStage: Sendable {
    case independentLoss(IndependentLoss)
    case burstLoss(GilbertElliottLoss)
    case fourStateLoss(FourStateLoss)
    case periodicLoss(PeriodicLoss)
    case listedLoss(ListedLoss)
    case correlatedLoss(CorrelatedLoss)
    case duplication(Duplication)
    case corruption(Corruption)
    case sizeLimit(SizeLimit)
    case blackHole(BlackHole)
    case jitter(Jitter)
    case reordering(Reordering)

    /// Makes a stage with its own random stream, named after its link and its kind.
    package init(_ plan: FilterPlan, seed: UInt64, streamName: String) {
        let random = RandomStream(seed: seed, name: streamName)
        self =
            switch plan {
            case .independentLoss(let chance): .independentLoss(.init(chance, random: random))
            case .burstLoss(let options): .burstLoss(.init(options, random: random))
            case .fourStateLoss(let options): .fourStateLoss(.init(options, random: random))
            case .periodicLoss(let period): .periodicLoss(.init(period: period))
            case .listedLoss(let indices): .listedLoss(.init(indices))
            case .listedDataLoss(let indices): .listedLoss(.init(ofData: indices))
            case .correlatedLoss(let options): .correlatedLoss(.init(options, random: random))
            case .duplication(let chance): .duplication(.init(chance, random: random))
            case .corruption(let chance): .corruption(.init(chance, random: random))
            case .sizeLimit(let limit): .sizeLimit(.init(limit))
            case .blackHole(let options): .blackHole(.init(options))
            case .jitter(let distribution): .jitter(.init(distribution, random: random))
            case .reordering(let options): .reordering(.init(options, random: random))
            }
    }

    package mutating func accept(_ size: Int, at now: Instant) -> StageVerdict {
        switch self {
        case .independentLoss(var stage):
            defer { self = .independentLoss(stage) }
            return stage.accept()
        case .burstLoss(var stage):
            defer { self = .burstLoss(stage) }
            return stage.accept()
        case .fourStateLoss(var stage):
            defer { self = .fourStateLoss(stage) }
            return stage.accept()
        case .periodicLoss(var stage):
            defer { self = .periodicLoss(stage) }
            return stage.accept()
        case .listedLoss(var stage):
            defer { self = .listedLoss(stage) }
            return stage.accept(size)
        case .correlatedLoss(var stage):
            defer { self = .correlatedLoss(stage) }
            return stage.accept()
        case .duplication(var stage):
            defer { self = .duplication(stage) }
            return stage.accept()
        case .corruption(var stage):
            defer { self = .corruption(stage) }
            return stage.accept()
        case .sizeLimit(let stage):
            return stage.accept(size)
        case .blackHole(let stage):
            return stage.accept(at: now)
        case .jitter(var stage):
            defer { self = .jitter(stage) }
            return stage.accept()
        case .reordering(var stage):
            defer { self = .reordering(stage) }
            return stage.accept()
        }
    }

    /// Returns the stages of a plan. The second stage of a kind draws from `uplink/loss-2`, and so
    /// on, so that adding it does not change the first.
    package static func row(_ plan: LinkPlan, seed: UInt64) -> [FilterStage] {
        var seen: [String: Int] = [:]
        return plan.filters.map { filter in
            let count = seen[filter.kind, default: 0] + 1
            seen[filter.kind] = count
            let suffix = count == 1 ? "" : "-\(count)"
            return FilterStage(
                filter, seed: seed, streamName: "\(plan.name)/\(filter.kind)\(suffix)")
        }
    }
}
