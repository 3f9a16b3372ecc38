package import Quantities

/// A filter stage as a scenario describes it; it decides about each packet separately.
package enum FilterPlan: Hashable, Sendable {
    case independentLoss(Probability)
    case burstLoss(GilbertElliottLoss.Options)
    case fourStateLoss(FourStateLoss.Options)
    case periodicLoss(period: UInt64)
    case listedLoss([UInt64])
    /// Loss of these packets, by index among the packets with data.
    case listedDataLoss([UInt64])
    case correlatedLoss(CorrelatedLoss.Options)
    case duplication(Probability)
    case corruption(Probability)
    case sizeLimit(SizeLimit)
    case blackHole(BlackHole.Options)
    case jitter(Jitter.Distribution)
    case reordering(Reordering)
    case blockRepetition(BlockRepetition.Options)
    case gapReordering(GapReordering.Options)
    case policer(TokenBucket.Options)
    case satelliteHandOver(SatelliteHandOver.Options)

    /// The kind: the second half of the name of the stage's random stream.
    package var kind: String {
        switch self {
        case .independentLoss: "loss"
        case .burstLoss: "gilbert-elliott"
        case .fourStateLoss: "four-state"
        case .periodicLoss: "periodic"
        case .listedLoss: "listed"
        case .listedDataLoss: "listed-data"
        case .correlatedLoss: "netem"
        case .duplication: "duplicate"
        case .corruption: "corrupt"
        case .sizeLimit: "mtu"
        case .blackHole: "black-hole"
        case .jitter: "jitter"
        case .reordering, .gapReordering: "reorder"
        case .policer: "policer"
        case .satelliteHandOver: "satellites"
        case .blockRepetition: "harq"
        }
    }

    /// The share of packets lost in the long run, if it does not depend on the packets.
    var meanLoss: Double {
        switch self {
        case .independentLoss(let chance): chance.fraction
        case .burstLoss(let options): options.meanLoss
        case .fourStateLoss(let options): options.meanLoss
        case .periodicLoss(let period): 1 / Double(period)
        case .correlatedLoss(let options): options.meanLoss
        case .listedLoss, .listedDataLoss, .duplication, .corruption, .sizeLimit, .blackHole,
            .jitter, .reordering, .gapReordering, .policer, .satelliteHandOver, .blockRepetition:
            0
        }
    }

    /// Whether packets are delayed by chance, and later ones wait behind them.
    var delaysAtRandom: Bool {
        switch self {
        case .jitter, .blockRepetition, .satelliteHandOver: true
        default: false
        }
    }
}
