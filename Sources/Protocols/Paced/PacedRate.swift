import Quantities

/// The rate of a sender, chosen by how long its packets wait in queues, not by losses.
///
/// Every flow wants a small wait that depends on its rate `r`, in packets per second: `w = k / √r`.
/// Flows that share a queue see the same wait, so all come to the same rate. The weight of a policy
/// multiplies the rate at which a flow is content with a wait.
///
/// - While the queue is busy, the rate follows what arrives, because arrivals are the flow's share
///   of the line. To this come a correction, which brings the wait to the wanted one in about two
///   round trips, and a drift towards the fair share, which doubles as long as it goes on in one
///   direction.
/// - While the queue is empty, the rate grows, faster with each round trip.
/// - A `LossTrial` finds the end of a queue that is too short for the wanted wait.
///
///                first report        a wait, or the rate that
///                                    the first packets had
///     opening ───────────────▶ rising ───────────────────────▶ cruising
///
/// Arithmetic is addition, multiplication, division and square root, which are exact to the last
/// bit everywhere.
struct PacedRate: Hashable, Sendable {
    var settings: PacedSettings
    private(set) var phase = Phase.opening
    /// Bits per second before the correction.
    private var rate: Double
    private var correction = 1.0
    private var share = 0.0
    /// The wait in seconds, averaged over about two round trips.
    private var meanWait = 0.0
    private var drift = Drift()
    /// Round trips since the queue was last busy.
    private var roundsEmpty = 0.0
    private var peaks = Peaks()
    private var losses = LossTrial()
    private var updatedAt = Instant.start
    private var roundEnd = Instant.start

    enum Phase: Hashable, Sendable {
        /// The first packets are on their way.
        case opening
        /// Doubles each round trip, up to this rate.
        case rising(to: Double)
        case cruising
    }

    /// How fast a flow moves towards its fair share.
    fileprivate struct Drift: Hashable, Sendable {
        var speed = 1.0
        var isUp = true
        var rounds = 0
        var roundEnd = Instant.start
    }

    /// The highest receive rates of the current and of the last period, in bits per second.
    fileprivate struct Peaks: Hashable, Sendable {
        var current = 0.0
        var last = 0.0
        var end = Instant.start
    }

    /// What reports say of the path.
    struct Sample {
        var now: Instant
        var roundTrip: TimeSpan
        /// The wait in queues, and whether a pause of the sender has changed it.
        var wait: TimeSpan
        var isPausing: Bool
        /// Bits per second that arrived; `nil` if too few packets came to tell.
        var received: Double?
        /// Packet numbers since the last report, and the packets of them that arrived.
        var numbers: UInt64
        var packets: UInt64
        /// The number after the highest that arrived, and after the highest that was sent.
        var end: UInt64
        var sentEnd: UInt64
    }

    init(_ settings: PacedSettings) {
        self.settings = settings
        rate = Self.firstRate
    }

    /// Bits per second at which packets leave.
    var bitsPerSecond: Double {
        let target = Double(settings.target.bitsPerSecond)
        guard settings.policy != .fixed else { return target }
        let wanted = min(rate * correction, losses.ceiling)
        return min(max(wanted, Double(settings.minimum.bitsPerSecond)), target)
    }

    // MARK: Events

    mutating func heard(_ sample: Sample) {
        var sample = sample
        sample.roundTrip = max(sample.roundTrip, Self.shortestRoundTrip)
        if let received = sample.received { peaks.note(received, sample) }
        switch phase {
        case .opening:
            guard let received = sample.received else { return }
            rate = max(Self.firstRate, received / 2)
            phase = .rising(to: received)
            roundEnd = sample.now + sample.roundTrip
        case .rising(let end):
            if sample.wait.seconds > wantedWait(over: sample.roundTrip) {
                cruise(from: sample)
            } else if sample.now >= roundEnd {
                roundEnd = sample.now + sample.roundTrip
                guard rate < end else { return cruise(from: sample) }
                rate = min(2 * rate, end)
            }
        case .cruising: cruise(sample)
        }
        let longWait = Self.longQueue * wantedWait(over: sample.roundTrip)
        losses.heard(sample, seesQueue: sample.wait.seconds > longWait, rate: &rate)
        rate = min(
            max(rate, Double(settings.minimum.bitsPerSecond)),
            Double(settings.target.bitsPerSecond) * Self.headroom)
    }

    /// Slows down after a time in which nothing was heard.
    mutating func resumed() { rate = max(rate / 2, Self.firstRate) }

    // MARK: Cruising

    private mutating func cruise(from sample: Sample) {
        phase = .cruising
        updatedAt = sample.now
        meanWait = sample.wait.seconds
        share = rate
        drift = Drift()
        drift.roundEnd = sample.now + sample.roundTrip
    }

    private mutating func cruise(_ sample: Sample) {
        let roundTrip = sample.roundTrip.seconds
        let rounds = min((sample.now - updatedAt).seconds / roundTrip, 1)
        updatedAt = sample.now
        guard !sample.isPausing else { return }
        let wait = sample.wait.seconds
        let wanted = wantedWait(over: sample.roundTrip)
        meanWait += (min(wait, 3 * wanted) - meanWait) * min(rounds / 2, 1)
        drift.turn(isUp: meanWait < wanted, sample)
        if let received = sample.received {
            share += (received / (1 - losses.ofLine) - share) * rounds
        }
        if wait > Self.busyQueue * wanted {
            roundsEmpty = 0
            rate += (share - rate) * rounds
            rate *= 1 + driftPerRound(wanted, roundTrip) * rounds
        } else {
            roundsEmpty += rounds
            let growth = Self.gentle * wanted / roundTrip * (1 + roundsEmpty * roundsEmpty)
            rate *= 1 + min(growth, Self.fastestGrowth) * rounds
        }
        let excess = (wait - wanted) / (Self.correctionRounds * roundTrip)
        correction = 1 - min(max(excess, -Self.strongestPush), 0.5)
        if let peak = peaks.highest {
            rate = min(rate, peak / (1 - losses.ofLine) * Self.headroom)
        }
    }

    /// The relative change of the rate in a round trip that leads to the fair share.
    private func driftPerRound(_ wanted: Double, _ roundTrip: Double) -> Double {
        let isYielding = settings.policy == .low && meanWait > 2 * wanted
        let speed = drift.speed * Self.gentle * (isYielding ? Self.yieldingSpeed : 1)
        let change = speed * (wanted - meanWait) / roundTrip
        return min(
            max(change, isYielding ? -Self.fastestYield : -Self.fastestDrift), Self.fastestDrift)
    }

    /// The wait with which the flow is content at its rate, in seconds.
    private func wantedWait(over roundTrip: TimeSpan) -> Double {
        let packets = max(rate / Self.packetBits, 1)
        let constant = min(Self.constant, Self.constantPerSecond * roundTrip.seconds)
        return max(constant * (weight / packets).squareRoot(), Self.fewestWaiting / packets)
    }

    private var weight: Double {
        switch settings.policy {
        case .fixed, .fair: 1
        case .high: 2
        case .low: 0.01
        }
    }

    // MARK: Constants

    private static let packetBits = 12_000.0
    private static let firstRate = 128_000.0
    /// A shorter round trip counts as this, because hosts do not wake up so exactly that a shorter
    /// wait could be told from theirs.
    private static let shortestRoundTrip = TimeSpan.milliseconds(2)
    /// The constant `k` of the wanted wait, which is 2.7 ms at 100 Mbit/s, and its limit on short
    /// paths, where a sixth of the round trip is enough.
    private static let constant = 0.25
    private static let constantPerSecond = 15.2
    /// A wait of fewer packets cannot be measured.
    private static let fewestWaiting = 1.5
    /// The part of the wanted wait from which a queue counts as busy.
    private static let busyQueue = 0.3
    /// The multiple of the wanted wait from which losses are a queue's overflow.
    private static let longQueue = 2.0
    /// The round trips in which a correction would bring the wait to the wanted one.
    private static let correctionRounds = 2.0
    private static let strongestPush = 0.05
    /// The part of the wanted wait that a round trip adds or takes at the least speed.
    private static let gentle = 0.25
    private static let fastestGrowth = 0.15
    fileprivate static let fastestSpeed = 64.0
    private static let fastestDrift = 0.1
    private static let yieldingSpeed = 16.0
    private static let fastestYield = 0.7
    /// How far the rate may be above what has arrived.
    private static let headroom = 1.1
    fileprivate static let roundTripsOfPeak: Int64 = 8
}

extension PacedRate.Drift {
    /// Doubles the speed from the third round trip in one direction on.
    fileprivate mutating func turn(isUp: Bool, _ sample: PacedRate.Sample) {
        if isUp != self.isUp {
            self = Self(isUp: isUp, roundEnd: sample.now + sample.roundTrip)
        } else if sample.now >= roundEnd {
            roundEnd = sample.now + sample.roundTrip
            rounds += 1
            if rounds >= 3 { speed = min(2 * speed, PacedRate.fastestSpeed) }
        }
    }
}

extension PacedRate.Peaks {
    fileprivate var highest: Double? {
        let peak = max(current, last)
        return peak > 0 ? peak : nil
    }

    fileprivate mutating func note(_ received: Double, _ sample: PacedRate.Sample) {
        if sample.now >= end {
            (last, current) = (current, 0)
            end = sample.now + sample.roundTrip * PacedRate.roundTripsOfPeak
        }
        current = max(current, received)
    }
}
