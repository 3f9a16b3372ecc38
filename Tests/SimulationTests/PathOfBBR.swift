import Quantities
import RunLog

@testable import Simulation

/// A path for a BBR without a network: so much arrives every round trip, as its window and the
/// path's rate allow.
struct PathOf<Controller: RateBasedControl> {
    var controller: Controller
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

    static var segment: UInt64 { Packet.usualSegment }

    init(_ controller: Controller) { self.controller = controller }

    /// A millisecond of acknowledgements; `inFlight` stands for what the sender has out, and `sent`
    /// for what it had when the acknowledged segments left, if that was something else.
    mutating func millisecond(inFlight: UInt64, sent: UInt64? = nil) {
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
        let sent = sent ?? inFlight
        let loss = FlightLoss(inFlight: sent, lost: sent * lostPercent / 100)
        let sample = DeliverySample(
            now: now, delivered: delivered, lost: lost, newlyDelivered: newly,
            newlyLost: newlyLost, inFlight: inFlight, inFlightBefore: inFlight + newly,
            departure: now, smoothed: roundTrip * 1_000_000,
            shortestRoundTrip: roundTrip * 1_000_000, phase: phase,
            roundTrip: roundTrip * 1_000_000,
            interval: .init(
                deliveredBefore: before + newly - inRoundTrip, bytes: inRoundTrip,
                nanoseconds: roundTrip * 1_000_000,
                isApplicationLimited: isApplicationLimited, loss: loss),
            excess: newlyLost > 0 && loss.isExcessive
                ? .init(inFlight: sent, isApplicationLimited: isApplicationLimited) : nil)
        controller.delivered(sample)
    }

    mutating func milliseconds(_ count: UInt64, inFlight: UInt64) {
        for _ in 0..<count { millisecond(inFlight: inFlight) }
    }

    var product: UInt64 { rate * roundTrip * Self.segment }
}

typealias PathOfBBR = PathOf<BBR>
typealias PathOfBBRv3 = PathOf<BBRv3>

extension PathOf where Controller == BBR {
    init() { self.init(BBR(random: RandomStream(seed: 1, name: "tcp/bbr/0"))) }
}

extension PathOf where Controller == BBRv3 {
    init() { self.init(BBRv3(random: RandomStream(seed: 1, name: "tcp/bbr3/0"))) }

    /// Less than the controller takes for a queue, even before a millisecond's acknowledgements.
    var full: UInt64 { product - (rate + 1) * Self.segment }

    /// Plays until the controller is in this mode, or for 20 s.
    mutating func play(until mode: BBRv3.Mode, inFlight: UInt64) {
        play(inFlight: inFlight) { $0.mode != mode }
    }

    /// Plays for as long as the controller is in this mode, and for 20 s at most.
    mutating func play(during mode: BBRv3.Mode, inFlight: UInt64) {
        play(inFlight: inFlight) { $0.mode == mode }
    }

    /// Plays for as long as a condition holds, and for 20 s at most.
    mutating func play(inFlight: UInt64, while goesOn: (BBRv3) -> Bool) {
        let end = now + 20_000_000_000
        while goesOn(controller), now < end { millisecond(inFlight: inFlight) }
    }

    /// Whether a number of bytes is another, but for a few that rates in fixed point lose.
    static func isNear(_ one: UInt64, _ other: UInt64) -> Bool {
        max(one, other) - min(one, other) < segment
    }
}

/// How long full segments of the uplink that arrive after 2 s have waited in its queue, in order of
/// length. `alone` is the time of one that finds the queue empty.
func waitsAfterStart(_ packets: [PacketRecord], alone: UInt64) -> [UInt64] {
    var sentAt: [UInt32: UInt64] = [:]
    var waits: [UInt64] = []
    for record in packets where record.link == 0 && record.payload == 1448 {
        if record.kind == .sent { sentAt[record.packet] = record.atNanoseconds }
        guard record.kind == .delivered, record.atNanoseconds > 2_000_000_000,
            let sent = sentAt[record.packet]
        else { continue }
        waits.append(record.atNanoseconds - sent - alone)
    }
    return waits.sorted()
}
