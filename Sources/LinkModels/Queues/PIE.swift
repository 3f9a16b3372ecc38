import Quantities

/// Proportional integral controller enhanced (RFC 8033): drops on arrival with a chance that grows
/// while the queueing delay is above its target or rising.
///
/// The chance is held in 2⁵³rds, delays in nanoseconds; the delay is that of the latest packet that
/// left, as §5.1 allows.
package struct PIE: Sendable {
    private(set) var chance: Int64 = 0
    private let target: Int64
    private var random: RandomStream
    private var nextUpdate: UInt64 = 0
    private var delay: Int64 = 0
    private var oldDelay: Int64 = 0
    private var burstAllowance = Self.longestBurst
    private var accumulated: Int64 = 0

    private static let whole: Int64 = 1 << 53
    private static let updatePeriod: UInt64 = 15_000_000
    private static let longestBurst: Int64 = 150_000_000
    private static let fullPacket: UInt64 = 1_500

    /// α = 0.125 and β = 1.25 a second, in 2⁵³rds a nanosecond.
    private static let alpha: Int64 = 1_125_900
    private static let beta: Int64 = 11_258_999

    init(target: TimeSpan, random: RandomStream) {
        self.target = target.nanoseconds
        self.random = random
    }

    /// Whether an arriving packet is dropped (§4.1, with the de-randomisation of §5.2).
    mutating func dropsArrival(at now: UInt64, waiting bytes: UInt64) -> Bool {
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

    /// All the updates that have come due (§4.2).
    private mutating func update(at now: UInt64, waiting bytes: UInt64) {
        while now >= nextUpdate {
            if bytes == 0 { delay = 0 }
            adjustChance()
            nextUpdate += Self.updatePeriod
            let isAtRest = chance == 0 && delay == 0 && oldDelay == 0
            if isAtRest && burstAllowance == Self.longestBurst {
                nextUpdate = max(nextUpdate, now + 1)
            }
        }
    }

    private mutating func adjustChance() {
        var step = Self.alpha * (delay - target) + Self.beta * (delay - oldDelay)
        step /= scale
        if chance >= Self.whole / 10, step > Self.whole / 50 { step = Self.whole / 50 }
        // §5.5: the queue grows without limit.
        if delay > 250_000_000 { step = Self.whole / 50 }
        chance = min(max(chance + step, 0), Self.whole)
        if delay == 0, oldDelay == 0 { chance -= chance / 50 }
        burstAllowance = max(0, burstAllowance - Int64(Self.updatePeriod))
        if chance == 0, delay < target / 2, oldDelay < target / 2 {
            burstAllowance = Self.longestBurst
        }
        oldDelay = delay
    }

    /// Small chances move in small steps (§4.2).
    private var scale: Int64 {
        if chance < Self.whole / 1_000_000 { return 2_048 }
        if chance < Self.whole / 100_000 { return 512 }
        if chance < Self.whole / 10_000 { return 128 }
        if chance < Self.whole / 1_000 { return 32 }
        if chance < Self.whole / 100 { return 8 }
        if chance < Self.whole / 10 { return 2 }
        return 1
    }
}
