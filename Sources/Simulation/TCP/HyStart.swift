/// Ends slow start before the queue overflows, as CUBIC does in Linux: Hybrid Slow Start (S. Ha and
/// I. Rhee, 2011).
///
/// Slow start is over if acknowledgements follow each other without a gap for half of the shortest
/// round trip, because the pipe is full then; or if the round trips of a round are longer by an
/// eighth, because a queue has formed. With jitter that is often too early, as it is in Linux.
struct HyStart {
    private(set) var isOver = false
    /// Whether the sender's segments are paced, which spreads a train of acknowledgements.
    private let isPaced: Bool
    private var roundBegunAt: UInt64 = 0
    /// Highest number sent when the round began.
    private var roundEnd: UInt64 = 0
    /// Latest acknowledgement without a gap since the round began.
    private var trainAt: UInt64 = 0
    private var shortestOfRound = UInt64.max
    private var samples = 0

    /// Linux's `hystart_low_window`, in segments, `hystart_ack_delta_us` and
    /// `HYSTART_MIN_SAMPLES`.
    private static let fewestSegments: UInt64 = 16
    private static let longestGap: UInt64 = 2_000_000
    private static let samplesBeforeJudgement = 8
    /// A queue is assumed from an eighth of the shortest round trip on, within these bounds.
    private static let thresholdDivisor: UInt64 = 8
    private static let smallestThreshold: UInt64 = 4_000_000
    private static let largestThreshold: UInt64 = 16_000_000
    /// Time that offloads may hold a train up: that of four of Linux's largest units at the pace of
    /// a slow start, which is two windows a round trip.
    private static let largestUnits: UInt64 = 4 * 65_215
    private static let longestHold: UInt64 = 1_000_000

    init(isPaced: Bool = false) { self.isPaced = isPaced }

    /// Begins anew.
    mutating func restart() { self = HyStart(isPaced: isPaced) }

    /// Notes an acknowledgement of new data in slow start; `shortest` is the shortest round trip.
    mutating func measured(
        _ sample: CongestionController.Sample, shortest: UInt64, window: UInt64,
        segment: UInt64 = Packet.usualSegment
    ) {
        guard !isOver else { return }
        if sample.unacknowledged > roundEnd { beginRound(sample) }
        guard window >= Self.fewestSegments * segment else { return }
        if sample.now - trainAt <= Self.longestGap {
            trainAt = sample.now
            let hold = min(Self.largestUnits * sample.smoothed / (2 * window), Self.longestHold)
            let patience = isPaced ? shortest + hold : (shortest + hold) / 2
            if sample.now - roundBegunAt > patience { isOver = true }
        }
        shortestOfRound = min(shortestOfRound, sample.roundTrip)
        guard samples >= Self.samplesBeforeJudgement else {
            samples += 1
            return
        }
        let threshold = min(
            max(shortest / Self.thresholdDivisor, Self.smallestThreshold), Self.largestThreshold)
        if shortestOfRound > shortest + threshold { isOver = true }
    }

    private mutating func beginRound(_ sample: CongestionController.Sample) {
        roundBegunAt = sample.now
        trainAt = sample.now
        roundEnd = sample.next
        shortestOfRound = .max
        samples = 0
    }
}
