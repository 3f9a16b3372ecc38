import Quantities

/// Finds out which losses are the sender's doing.
///
/// A line loses some packets whatever the rate, and a short queue loses what is too much. When more
/// is lost than the line is known to lose, and again when more packets are counted, the sender
/// tries for a round trip what it is to be a little slower. If the losses stay, they are the
/// line's; if they vanish, the rate of the trial is a ceiling for a while.
struct LossTrial: Hashable, Sendable {
    /// The share of packets that the line loses, whatever the rate.
    private(set) var ofLine = 0.0
    /// Bits per second that the sender must not exceed.
    private(set) var ceiling = Double.infinity
    private var ceilingEnd = Instant.end
    /// The rate before a trial, and the share that was lost.
    private var trial: Trial?
    /// Whether much was lost among few packets, which may be chance.
    private var isSuspicious = false
    private var sent: UInt64 = 0
    private var arrived: UInt64 = 0
    /// Packets below were sent before the trial.
    private var countedFrom: UInt64 = 0
    private var roundEnd = Instant.start

    private struct Trial: Hashable, Sendable {
        var rate: Double
        var lost: Double
    }

    /// Fewer packets say little about a share.
    private static let fewestPackets: UInt64 = 100
    private static let fewestToConfirm: UInt64 = 300
    private static let fewestOfTrial: UInt64 = 400
    /// More than this beyond the line's losses needs no second look.
    private static let plain = 0.1
    private static let roundTripsOfCeiling: Int64 = 20
    /// The part of the losses that must stay if they are the line's.
    private static let sameLosses = 0.7
    private static let slowdown = 0.95
    /// A line that loses more is not worth a rate that makes up for it.
    private static let most = 0.5

    /// Counts a report's packets, and sets the rate at the beginning or the end of a trial. No
    /// trial begins while a queue is long enough to be seen: then the wait leads the rate.
    mutating func heard(_ sample: PacedRate.Sample, seesQueue: Bool, rate: inout Double) {
        if sample.now >= ceilingEnd { ceiling = .infinity }
        guard sample.end > countedFrom else { return }
        if seesQueue, trial == nil {
            (sent, arrived) = (0, 0)
            return
        }
        sent += sample.numbers
        arrived += min(sample.packets, sample.numbers)
        let fewest =
            trial != nil
            ? Self.fewestOfTrial : isSuspicious ? Self.fewestToConfirm : Self.fewestPackets
        guard sent >= fewest, sample.now >= roundEnd else { return }
        roundEnd = sample.now + sample.roundTrip
        let count = Double(sent)
        let lost = 1 - Double(arrived) / count
        (sent, arrived) = (0, 0)
        if trial == nil, lost < ofLine { ofLine += (lost - ofLine) / 8 }
        if let trial {
            finish(trial, lost: lost, sample, rate: &rate)
        } else if !isUnusual(lost, among: count) {
            isSuspicious = false
        } else if !isSuspicious, lost < ofLine + Self.plain {
            isSuspicious = true
        } else {
            isSuspicious = false
            trial = Trial(rate: rate, lost: lost)
            rate *= (1 - lost + ofLine) * Self.slowdown
            ceiling = rate
            ceilingEnd = .end
            countedFrom = sample.sentEnd
        }
    }

    private mutating func finish(
        _ trial: Trial, lost: Double, _ sample: PacedRate.Sample, rate: inout Double
    ) {
        self.trial = nil
        countedFrom = sample.sentEnd
        if lost > trial.lost * Self.sameLosses {
            ofLine = min(lost, Self.most)
            rate = trial.rate
            ceiling = .infinity
        } else {
            ceilingEnd = sample.now + sample.roundTrip * Self.roundTripsOfCeiling
        }
    }

    /// Whether more is lost than the line loses, and chance alone does not explain it.
    private func isUnusual(_ lost: Double, among count: Double) -> Bool {
        let deviation = (max(ofLine, 0.01) / count).squareRoot()
        return lost > ofLine + 0.02 + 3 * deviation
    }
}
