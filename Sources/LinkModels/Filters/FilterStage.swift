import Quantities

/// The stages of a link: the catalogue of what `FilterPlan` can ask for.
/// It is an enum with a `switch`, the fastest form for stages chosen at run time.
enum FilterStage: Sendable {
    case byChance(ChanceFilter)
    case burstLoss(GilbertElliottLoss)
    case fourStateLoss(FourStateLoss)
    case periodicLoss(PeriodicLoss)
    case listedLoss(ListedLoss)
    case correlatedLoss(CorrelatedLoss)
    case sizeLimit(SizeLimit)
    case blackHole(BlackHole)
    case jitter(Jitter)
    case blockRepetition(BlockRepetition)
    case gapReordering(GapReordering)
    case policer(Policer)
    case satelliteHandOver(SatelliteHandOver)

    /// Makes a stage with its own random stream, named after its link and its kind.
    init(_ plan: FilterPlan, seed: UInt64, streamName: String) {
        let random = RandomStream(seed: seed, name: streamName)
        func byChance(_ chance: Probability, _ verdict: StageVerdict) -> Self {
            .byChance(ChanceFilter(chance: chance, verdict: verdict, random: random))
        }
        self =
            switch plan {
            case .independentLoss(let chance): byChance(chance, .drop(.lost))
            case .duplication(let chance): byChance(chance, .mark(.duplicated))
            case .corruption(let chance): byChance(chance, .mark(.corrupted))
            case .reordering(let options): byChance(options.chance, .holdBack(options.hold))
            case .burstLoss(let options): .burstLoss(.init(options: options, random: random))
            case .fourStateLoss(let options): .fourStateLoss(.init(options, random: random))
            case .periodicLoss(let period): .periodicLoss(.init(period: period))
            case .listedLoss(let indices): .listedLoss(.init(indices))
            case .listedDataLoss(let indices): .listedLoss(.init(ofData: indices))
            case .correlatedLoss(let options): .correlatedLoss(.init(options, random: random))
            case .sizeLimit(let limit): .sizeLimit(limit)
            case .blackHole(let options): .blackHole(.init(options: options))
            case .jitter(let distribution):
                .jitter(.init(distribution: distribution, random: random))
            case .blockRepetition(let options):
                .blockRepetition(.init(options: options, random: random))
            case .gapReordering(let options): .gapReordering(.init(options, random: random))
            case .policer(let options): .policer(.init(options))
            case .satelliteHandOver(let options):
                .satelliteHandOver(.init(options, random: random))
            }
    }

    mutating func accept(_ size: Int, at now: Instant) -> StageVerdict {
        switch self {
        case .byChance(var stage):
            defer { self = .byChance(stage) }
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
        case .sizeLimit(let stage):
            return stage.accept(size)
        case .blackHole(let stage):
            return stage.accept(at: now)
        case .jitter(var stage):
            defer { self = .jitter(stage) }
            return stage.accept()
        case .blockRepetition(var stage):
            defer { self = .blockRepetition(stage) }
            return stage.accept()
        case .gapReordering(var stage):
            defer { self = .gapReordering(stage) }
            return stage.accept()
        case .policer(var stage):
            defer { self = .policer(stage) }
            return stage.accept(size, at: now)
        case .satelliteHandOver(var stage):
            defer { self = .satelliteHandOver(stage) }
            return stage.accept(at: now)
        }
    }

    /// Returns the stages at a place, such as `uplink`. The second stage of a kind draws from
    /// `uplink/loss-2`, and so on. Adding a stage therefore does not change the first one of its
    /// kind.
    static func row(_ filters: [FilterPlan], at place: String, seed: UInt64) -> [FilterStage] {
        var seen: [String: Int] = [:]
        return filters.map { filter in
            let count = seen[filter.kind, default: 0] + 1
            seen[filter.kind] = count
            let suffix = count == 1 ? "" : "-\(count)"
            return FilterStage(filter, seed: seed, streamName: "\(place)/\(filter.kind)\(suffix)")
        }
    }
}
