/// Detects a policer: it passes a constant rate and drops the rest, so that probing for more only
/// loses packets (the long-term bandwidth of Linux's BBR).
///
/// Two consecutive intervals with much loss and nearly the same throughput are taken for a policer.
/// Its rate is kept for 48 round trips and then tested again.
struct PolicerWatch {
    /// The rate of the latest interval, or the mean of two that agree.
    private(set) var rate: FlowRate?
    private(set) var isInForce = false
    private var isSampling = false
    private var rounds = 0
    private var begunAt: UInt64 = 0
    private var deliveredBefore: UInt64 = 0
    private var lostBefore: UInt64 = 0

    private static let fewestRounds = 4
    private static let mostRounds = 4 * fewestRounds
    private static let roundsInForce = 48
    /// Lost bytes must be at least 50/256 of the delivered bytes.
    private static let lossThreshold: UInt64 = 50
    /// Two rates agree if they differ by at most an eighth, or by at most 4 kbit/s.
    private static let tolerance: UInt64 = 8
    private static let smallDifference = FlowRate(500, in: 1_000_000_000)
    private static let shortestInterval: UInt64 = 1_000_000

    /// Notes an acknowledgement. Returns true if a policer in force must be tested again.
    mutating func judge(
        _ sample: DeliverySample, isRoundStart: Bool, isProbingBandwidth: Bool
    ) -> Bool {
        if isInForce {
            guard isProbingBandwidth, isRoundStart else { return false }
            rounds += 1
            guard rounds >= Self.roundsInForce else { return false }
            self = PolicerWatch()
            return true
        }
        if !isSampling {
            // An interval begins and ends with a loss, because the policer's bucket is empty then.
            guard sample.newlyLost > 0 else { return false }
            begin(with: sample)
            isSampling = true
        }
        if sample.interval?.isApplicationLimited == true {
            self = PolicerWatch()
            return false
        }
        if isRoundStart { rounds += 1 }
        guard rounds >= Self.fewestRounds else { return false }
        guard rounds <= Self.mostRounds else {
            self = PolicerWatch()
            return false
        }
        if sample.newlyLost > 0 { endInterval(with: sample) }
        return false
    }

    private mutating func begin(with sample: DeliverySample) {
        begunAt = sample.now
        deliveredBefore = sample.delivered
        lostBefore = sample.lost
        rounds = 0
    }

    private mutating func endInterval(with sample: DeliverySample) {
        let lost = sample.lost - lostBefore
        let delivered = sample.delivered - deliveredBefore
        let time = sample.now - begunAt
        guard delivered > 0, 256 * lost >= Self.lossThreshold * delivered,
            time >= Self.shortestInterval
        else { return }
        let measured = FlowRate(delivered, in: time)
        if let rate {
            let difference = measured.distance(to: rate)
            let isNear = difference.multiplied(by: Self.tolerance, dividedBy: 1) <= rate
            if isNear || difference <= Self.smallDifference {
                self.rate = measured.mean(with: rate)
                isInForce = true
                rounds = 0
                return
            }
        }
        rate = measured
        begin(with: sample)
    }
}
