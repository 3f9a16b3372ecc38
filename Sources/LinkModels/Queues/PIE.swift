package import Quantities

/// Proportional integral controller enhanced (RFC 8033): drops on arrival with a chance that grows
/// while the queueing delay is above its target or rising.
///
/// The chance is held in 2⁵³rds, and delays in nanoseconds. The queueing delay is measured on the
/// latest packet that left, as §4.3 allows.
package struct PIE: Sendable {
    private(set) var chance: Int64 = 0
    private let target: Int64
    private let updatePeriod: UInt64
    private let longestBurst: Int64
    /// The weights, in 2⁵³rds per nanosecond.
    private let alpha: Int64
    private let beta: Int64
    private let marks: Bool
    private var random: RandomStream
    private var nextUpdate: UInt64 = 0
    private var delay: Int64 = 0
    private var oldDelay: Int64 = 0
    private var burstAllowance: Int64
    private var accumulated: Int64 = 0

    /// Options with the defaults of RFC 8033 §4.
    package struct Options: Hashable, Sendable {
        package var target = TimeSpan.milliseconds(15)
        package var updatePeriod = TimeSpan.milliseconds(15)
        package var burst = TimeSpan.milliseconds(150)
        /// The weights in thousandths per second: 0.125 and 1.25.
        package var alphaThousandths: UInt64 = 125
        package var betaThousandths: UInt64 = 1_250
        /// Whether the queue marks ECN-capable packets while the chance is below a tenth (§5.1).
        package var marks = false

        package init() {}
    }

    private static let whole: Int64 = 1 << 53
    private static let fullPacket: UInt64 = 1_500

    init(_ options: Options, random: RandomStream) {
        target = options.target.nanoseconds
        updatePeriod = options.updatePeriod.nanoseconds.magnitude
        longestBurst = options.burst.nanoseconds
        alpha = Self.perNanosecond(options.alphaThousandths)
        beta = Self.perNanosecond(options.betaThousandths)
        marks = options.marks
        burstAllowance = longestBurst
        self.random = random
    }

    static func perNanosecond(_ thousandthsPerSecond: UInt64) -> Int64 {
        let product = UInt128(thousandthsPerSecond) * UInt128(whole)
        return Int64((product + 500_000_000_000) / 1_000_000_000_000)
    }

    /// Decides about an arriving packet (§4.1).
    mutating func judge(
        _ packet: WaitingPacket, at now: UInt64, waiting bytes: UInt64
    ) -> ArrivalVerdict {
        guard isChosen(at: now, waiting: bytes) else { return .join }
        return marks && packet.isMarkable && chance < Self.whole / 10 ? .mark : .drop
    }

    /// Returns whether the packet is chosen, with the de-randomisation of §5.4.
    private mutating func isChosen(at now: UInt64, waiting bytes: UInt64) -> Bool {
        update(at: now, waiting: bytes)
        if burstAllowance > 0 { return false }
        let isCalm = oldDelay < target / 2 && chance < Self.whole / 5
        if isCalm || bytes <= 2 * Self.fullPacket { return false }
        if chance == 0 { accumulated = 0 }
        accumulated += chance
        guard accumulated >= Self.whole / 20 * 17 else { return false }
        if accumulated < Self.whole / 2 * 17, random.next() >> 11 >= UInt64(chance) { return false }
        accumulated = 0
        return true
    }

    mutating func left(_ packet: WaitingPacket, at now: UInt64, waiting bytes: UInt64) {
        update(at: now, waiting: bytes)
        delay = Int64(now - packet.enqueuedAt)
    }

    /// Performs all updates that are due (§4.2). In a long silence their inputs do not change. The
    /// chance then settles, or moves in equal steps that are taken at once.
    private mutating func update(at now: UInt64, waiting bytes: UInt64) {
        while now >= nextUpdate {
            if bytes == 0 { delay = 0 }
            let before = (chance: chance, band: band, allowance: burstAllowance)
            let wasSteady = oldDelay == delay
            adjustChance()
            nextUpdate += updatePeriod
            let isAtRest = chance == 0 && delay == 0 && oldDelay == 0
            if isAtRest && burstAllowance == longestBurst {
                nextUpdate = max(nextUpdate, now + 1)
            } else if wasSteady, before.band == band, before.allowance == burstAllowance,
                now >= nextUpdate
            {
                repeatStep(chance - before.chance, until: now)
            }
        }
    }

    /// Repeats the latest step as often as it is due and would be the same.
    private mutating func repeatStep(_ step: Int64, until now: UInt64) {
        let due = Int64((now - nextUpdate) / updatePeriod) + 1
        guard step != 0 else {
            nextUpdate += UInt64(due) * updatePeriod
            return
        }
        // An empty queue lets the chance decay ever more slowly.
        guard delay > 0 else { return }
        let room = step > 0 ? bandEnd - 1 - chance : chance - bandBegin - 1
        let count = max(0, min(due, room / abs(step)))
        chance += step * count
        nextUpdate += UInt64(count) * updatePeriod
    }

    private mutating func adjustChance() {
        // Delays of hours, as in an outage, would overflow 64 bits here.
        let wide =
            Int128(alpha) * Int128(delay - target) + Int128(beta) * Int128(delay - oldDelay)
        var step = Int64(clamping: wide / Int128(scale))
        step = min(max(step, -Self.whole), Self.whole)
        if chance >= Self.whole / 10, step > Self.whole / 50 { step = Self.whole / 50 }
        // Not in the RFC, but similar in Linux: long delays raise the chance quickly.
        if delay > 250_000_000 { step = Self.whole / 50 }
        chance = min(max(chance + step, 0), Self.whole)
        if delay == 0, oldDelay == 0 { chance -= chance / 50 }
        burstAllowance = max(0, burstAllowance - Int64(updatePeriod))
        if chance == 0, delay < target / 2, oldDelay < target / 2 {
            burstAllowance = longestBurst
        }
        oldDelay = delay
    }

    /// Scales for small chances, which move in small steps (§4.2).
    private static let bands: [(end: Int64, scale: Int64)] = [
        (whole / 1_000_000, 2_048), (whole / 100_000, 512), (whole / 10_000, 128),
        (whole / 1_000, 32), (whole / 100, 8), (whole / 10, 2), (.max, 1),
    ]

    private var band: Int { Self.bands.firstIndex { chance < $0.end } ?? Self.bands.count - 1 }

    private var scale: Int64 { Self.bands[band].scale }

    /// The range of chances with the same scale.
    private var bandBegin: Int64 { band == 0 ? 0 : Self.bands[band - 1].end }
    private var bandEnd: Int64 { min(Self.bands[band].end, Self.whole) }
}
