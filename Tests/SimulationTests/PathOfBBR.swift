import Quantities

@testable import Simulation

/// A path for a BBR without a network: so much arrives every round trip, as its window and the
/// path's rate allow.
struct PathOfBBR {
    var controller = BBR(random: RandomStream(seed: 1, name: "tcp/bbr/0"))
    var now: UInt64 = 40_000_000
    /// Segments per millisecond, and the round trip in milliseconds.
    var rate: UInt64 = 8
    var roundTrip: UInt64 = 40
    /// Of a hundred segments.
    var lostPercent: UInt64 = 0
    var isApplicationLimited = false
    var phase = LossRecovery.Phase.open
    private var delivered: UInt64 = 0
    private var lost: UInt64 = 0
    private var lossCredit: UInt64 = 0

    static let segment = UInt64(Packet.maximumPayload)

    /// A millisecond of acknowledgements; `inFlight` stands for what the sender has out.
    mutating func millisecond(inFlight: UInt64) {
        let before = delivered
        let arriving = rate * Self.segment
        lossCredit += arriving * lostPercent
        let newlyLost = lossCredit / 100 / Self.segment * Self.segment
        lossCredit -= newlyLost * 100
        let newly = arriving - min(newlyLost, arriving)
        delivered += newly
        lost += newlyLost
        now += 1_000_000
        let inRoundTrip = min(delivered, newly * roundTrip)
        let sample = DeliverySample(
            now: now, delivered: delivered, lost: lost, newlyDelivered: newly,
            newlyLost: newlyLost, inFlight: inFlight, inFlightBefore: inFlight + newly,
            departure: now, smoothed: roundTrip * 1_000_000,
            shortestRoundTrip: roundTrip * 1_000_000, phase: phase,
            roundTrip: roundTrip * 1_000_000,
            interval: .init(
                deliveredBefore: before + newly - inRoundTrip, bytes: inRoundTrip,
                nanoseconds: roundTrip * 1_000_000,
                isApplicationLimited: isApplicationLimited))
        controller.delivered(sample)
    }

    mutating func milliseconds(_ count: UInt64, inFlight: UInt64) {
        for _ in 0..<count { millisecond(inFlight: inFlight) }
    }

    var product: UInt64 { rate * roundTrip * Self.segment }
}
