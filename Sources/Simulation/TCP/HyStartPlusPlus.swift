/// Ends slow start when round trips grow, before the queue overflows: HyStart++ (RFC 9406).
struct HyStartPlusPlus {
    private(set) var phase = Phase.slowStart
    /// Highest sequence number sent when the round began.
    private var roundEnd: UInt64 = 0
    private var samples = 0
    private var shortestOfRound = UInt64.max
    private var shortestOfLastRound = UInt64.max
    /// Shortest round trip when conservative slow start began, and the rounds since then.
    private var baseline = UInt64.max
    private var conservativeRounds = 0

    enum Phase { case slowStart, conservative, finished }

    /// Constants of RFC 9406 §4.3.
    private static let samplesPerRound = 8
    private static let smallestThreshold: UInt64 = 4_000_000
    private static let largestThreshold: UInt64 = 16_000_000
    private static let thresholdDivisor: UInt64 = 8
    static let growthDivisor: UInt64 = 4
    /// L in §4.3, for a sender that does not pace.
    static let segmentsPerAcknowledgement: UInt64 = 8
    private static let conservativeRoundsLimit = 5

    /// Notes a round trip measured by an acknowledgement (§4.2).
    mutating func measured(_ roundTrip: UInt64, unacknowledged: UInt64, next: UInt64) {
        if unacknowledged >= roundEnd { beginRound(until: next) }
        if roundTrip < shortestOfRound { shortestOfRound = roundTrip }
        samples += 1
        guard samples >= Self.samplesPerRound else { return }
        switch phase {
        case .slowStart:
            guard shortestOfLastRound != .max else { return }
            let threshold = min(
                max(shortestOfLastRound / Self.thresholdDivisor, Self.smallestThreshold),
                Self.largestThreshold)
            guard shortestOfRound >= shortestOfLastRound + threshold else { return }
            baseline = shortestOfRound
            phase = .conservative
            conservativeRounds = 0
        case .conservative:
            if shortestOfRound < baseline {
                baseline = .max
                phase = .slowStart
            }
        case .finished: break
        }
    }

    private mutating func beginRound(until next: UInt64) {
        if phase == .conservative {
            conservativeRounds += 1
            if conservativeRounds > Self.conservativeRoundsLimit { phase = .finished }
        }
        roundEnd = next
        shortestOfLastRound = shortestOfRound
        shortestOfRound = .max
        samples = 0
    }
}
