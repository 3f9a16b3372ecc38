import Quantities
import RunLog
import RunPlan

/// BBR version 3 (draft-ietf-ccwg-bbr-06, sections of which are cited; where the draft leaves
/// something open, Google's `tcp_bbr.c` of branch v3). Like version 1, it has a model of the path,
/// but losses bound how much may be in flight.
///
///               the rate stops growing,          the queue is gone,
///               or too much is lost              or three rounds have passed
///     startup ───────────────────────▶ drain ─────────────────────────▶ down ◀───────────┐
///        ▲                                                               │ little is in  │
///        │                                                               ▼ flight        │
///        │                                                             cruise            │
///        │                                                               │ time to       │
///        │                                                               ▼ probe         │
///        │   the pipe was never full                                   refill            │
///        │                                                               │ a round       │
///        │                                                               ▼               │
///     probingRoundTrip ──▶ cruise                                        up ─────────────┘
///        ▲       200 ms and a round later      the rate stops growing, or too much is lost
///        └── any other: 5 s without a shorter round trip
///
/// The long-term bound is the most that has been in flight without losing more than a fiftieth. It
/// is lowered once a cycle at most, and raised while probing. The short-term bounds follow what
/// arrives in rounds with losses, and are forgotten before the next probe. Marks (ECN), for which
/// the draft has no rule of its own, count as losses.
struct BBRv3: RateBasedControl {
    var window: UInt64
    var mode = Mode.startup
    var isPipeFull = false
    var growth = RateGrowth()
    /// Whether the rate has stopped growing since the latest look: BBR.full_bw_now.
    var hasPlateau = false
    var bursts = AcknowledgementBursts()
    /// Delivered count of the latest acknowledgement.
    var arrived: UInt64 = 0
    var rounds: UInt64 = 0
    var isRoundStart = false
    /// Delivered count that ends the round.
    var roundEnd: UInt64 = 0
    var shortestRoundTrip = UInt64.max
    var shortestRoundTripAt: UInt64 = 0
    /// Shortest round trip since the latest measurement, at most 5 s ago: BBR.probe_rtt_min_delay.
    var recentRoundTrip = UInt64.max
    var recentRoundTripAt: UInt64 = 0
    var pacingRate = FlowRate.zero
    var windowBefore: UInt64 = 0
    private(set) var phaseBefore = LossRecovery.Phase.open
    /// True after sending has resumed, until something is delivered.
    var isResuming = false

    // MARK: The model
    /// Highest rates of the current cycle and of the one before (§5.5.6).
    var bestRate = FlowRate.zero
    var bestRateBefore = FlowRate.zero
    /// What arrived in the latest round: BBR.bw_latest and BBR.inflight_latest.
    var latestRate = FlowRate.zero
    var latestFlight: UInt64 = 0
    /// BBR.bw_shortterm and BBR.inflight_shortterm.
    var shortTermRate: FlowRate?
    var shortTermFlight = UInt64.max
    /// BBR.inflight_longterm.
    var longTermFlight = UInt64.max
    var losses = LossRounds()
    var probe = BandwidthProbe()
    /// Model and mode before a loss, in case it was none (§5.5.11).
    private var before = Past()

    /// Draws the times between probes.
    var random: RandomStream
    private(set) var segment: UInt64
    let headerSize: UInt64

    enum Mode: Equatable {
        case startup
        /// Drains the queue of the start-up, at most until three rounds after this one.
        case drain(since: UInt64)
        case down
        case cruise
        case refill
        case up
        case probingRoundTrip(RoundTripHold)
    }

    private struct Past {
        var rate: FlowRate?
        var shortTermFlight: UInt64 = 0
        var longTermFlight: UInt64 = 0
        /// Mode that losses have ended since.
        var mode: Mode?
    }

    /// 4 ln 2: the smallest gain with which a paced rate doubles every round.
    static let startupGain: UInt64 = one * 277 / 100 + 1
    /// 0.5 as in the draft; Google's code has 1/2.885.
    static let drainGain: UInt64 = one / 2
    /// 0.9 as in the draft; Google's code has 0.91.
    static let downGain: UInt64 = one * 90 / 100
    static let upGain: UInt64 = one * 5 / 4
    static let windowGain: UInt64 = 2 * one
    static let windowGainUp: UInt64 = one * 9 / 4
    static let roundTripGain: UInt64 = one / 2

    init(
        _ settings: TCPSettings = TCPSettings(), segment: UInt64 = Packet.usualSegment,
        family: AddressFamily = .ipv4, random: RandomStream
    ) {
        self.segment = segment
        headerSize = family.headerSize
        window = settings.initialWindow * segment
        self.random = random
    }

    // MARK: What happens

    mutating func delivered(_ sample: DeliverySample) {
        if pacingRate == .zero { begin(sample) }
        arrived = sample.delivered
        let isWindowFull = sample.inFlightBefore + segment > window
        updateModel(sample, isWindowFull: isWindowFull)
        setPacingRate(gain: pacingGain)
        setWindow(sample)
        if losses.isRoundStart, let interval = sample.interval {
            latestRate = interval.rate
            latestFlight = interval.bytes
        }
    }

    /// Notes the beginning of a recovery, or a loss that a probe has repaired.
    mutating func lossFound(flight: UInt64) {
        rememberModel()
        losses.isHidden = true
    }

    mutating func timedOut(flight: UInt64, remaining: UInt64, again: Bool) {
        if !again { rememberModel() }
        // What was allowed before counts, not the segment that is left (Google's code).
        if !isProbingBandwidth, shortTermFlight == .max { shortTermFlight = windowBefore }
        window = remaining + segment
        phaseBefore = .restarting
        growth = RateGrowth()
        hasPlateau = false
    }

    /// Notes that packets were marked, which is treated as a loss (§3.7).
    mutating func marked() {
        losses.isHidden = true
        losses.isMarked = true
    }

    mutating func undo() {
        losses.isInRound = false
        growth = RateGrowth()
        hasPlateau = false
        if let rate = shortTermRate { shortTermRate = before.rate.map { max($0, rate) } }
        shortTermFlight = max(shortTermFlight, before.shortTermFlight)
        longTermFlight = max(longTermFlight, before.longTermFlight)
        if before.mode == .startup, mode != .startup {
            isPipeFull = false
            if !isProbingRoundTrip { mode = .startup }
        } else if before.mode == .up, mode != .up, !isProbingRoundTrip {
            startRefill()
        }
        before.mode = nil
    }

    mutating func resume(at now: UInt64) {
        isResuming = true
        bursts.begin(at: now)
        switch mode {
        case .startup, .drain: break
        case .down, .cruise, .refill, .up: setPacingRate(gain: Self.one)
        case .probingRoundTrip: endRoundTripProbeIfDue(at: now)
        }
    }

    mutating func resize(to size: UInt64) {
        func resized(_ window: UInt64) -> UInt64 {
            Self.resized(window, from: segment, to: size)
        }
        window = resized(window)
        windowBefore = resized(windowBefore)
        shortTermFlight = resized(shortTermFlight)
        longTermFlight = resized(longTermFlight)
        before.shortTermFlight = resized(before.shortTermFlight)
        before.longTermFlight = resized(before.longTermFlight)
        segment = size
    }

    /// Notes that losses end this mode.
    mutating func lossesEnd(_ mode: Mode) { before.mode = mode }

    // MARK: Queries

    /// Highest rate of the last two cycles.
    var highestRate: FlowRate { max(bestRate, bestRateBefore) }

    var rate: FlowRate { shortTermRate.map { min($0, highestRate) } ?? highestRate }

    var hold: RoundTripHold? {
        get { if case .probingRoundTrip(let hold) = mode { hold } else { nil } }
        set { if let newValue { mode = .probingRoundTrip(newValue) } }
    }

    /// Whether losses are a part of the search, so that the short-term bounds do not follow them.
    var isProbingBandwidth: Bool { mode == .startup || mode == .refill || mode == .up }

    /// §5.6.1.
    var pacingGain: UInt64 {
        switch mode {
        case .startup: Self.startupGain
        case .drain: Self.drainGain
        case .down: Self.downGain
        case .cruise, .refill, .probingRoundTrip: Self.one
        case .up: Self.upGain
        }
    }

    /// Bytes that fill the pipe without a queue: BBR.bdp.
    var fullPipe: UInt64 { product(of: rate, gain: Self.one) }

    /// Window while the round trip is measured (§5.6.4.5).
    var windowOfRoundTripProbe: UInt64 {
        max(product(of: rate, gain: Self.roundTripGain), smallestWindow)
    }

    /// Long-term bound with room for others (§5.3.3.9): 15 % less.
    var flightWithHeadroom: UInt64 {
        guard longTermFlight != .max else { return .max }
        let headroom = max(segment, longTermFlight * 15 / 100)
        return max(longTermFlight - min(headroom, longTermFlight), smallestWindow)
    }

    /// Returns a flight with room for what the sender and the receiver hold back (§5.6.4.2).
    func withRoomForQuanta(_ flight: UInt64) -> UInt64 {
        max(flight, 3 * quantum, smallestWindow) + (mode == .up ? 2 * segment : 0)
    }

    // MARK: Private parts

    /// Starts from the handshake's round trip, before any rate is known.
    private mutating func begin(_ sample: DeliverySample) {
        guard sample.smoothed > 0 else { return }
        shortestRoundTrip = sample.shortestRoundTrip
        shortestRoundTripAt = sample.now
        recentRoundTrip = sample.shortestRoundTrip
        recentRoundTripAt = sample.now
        bursts.begin(at: sample.now)
        pacingRate = paced(FlowRate(window, in: sample.smoothed), gain: Self.startupGain)
    }

    private mutating func rememberModel() {
        putWindowAside()
        before = Past(
            rate: shortTermRate, shortTermFlight: shortTermFlight, longTermFlight: longTermFlight)
    }

    private mutating func setWindow(_ sample: DeliverySample) {
        if sample.phase == .open, phaseBefore != .open { restoreWindow() }
        phaseBefore = sample.phase
        if sample.newlyDelivered > 0 {
            let gain = mode == .up ? Self.windowGainUp : Self.windowGain
            let target = withRoomForQuanta(
                product(of: rate, gain: isProbingRoundTrip ? Self.roundTripGain : gain)
                    + bursts.allowance(at: rate))
            if isPipeFull {
                window = min(window + sample.newlyDelivered, target)
            } else if window < target || sample.delivered < usualWindow {
                window += sample.newlyDelivered
            }
            window = max(window, smallestWindow)
        }
        if isProbingRoundTrip { window = min(window, windowOfRoundTripProbe) }
        window = min(window, max(bound, smallestWindow))
    }

    /// What the model of losses allows (§5.6.4.7).
    private var bound: UInt64 {
        switch mode {
        case .startup, .drain: shortTermFlight
        case .down, .refill, .up: min(longTermFlight, shortTermFlight)
        case .cruise, .probingRoundTrip: min(flightWithHeadroom, shortTermFlight)
        }
    }
}
