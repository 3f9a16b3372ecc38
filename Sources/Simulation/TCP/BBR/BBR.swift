import Quantities
import RunLog
import RunPlan

/// BBR version 1, as `bbr` in mainline Linux. A model of the path, rather than loss or delay, says
/// how fast to send and how much may be in flight. It consists of the largest rate at which content
/// arrived and the shortest round trip.
///
///               three rounds without                     the queue is gone
///               a quarter more rate
///     startup ───────────────────────▶ drain ─────────────────────▶ probingBandwidth ◀─┐
///        ▲                               │                             │         │     │
///        │                               │  10 s without               │         └─────┘
///        │                               ▼  a shorter round trip       ▼     next of 8 phases
///        │   the pipe was never full    ┌─────────────────────────────────┐
///        └───────────────────────────── │        probingRoundTrip         │ (from startup, too)
///                                       └─────────────────────────────────┘
///              200 ms and a round with four segments in flight │
///              (the pipe was full)                             └──▶ probingBandwidth
///
/// Each phase of probingBandwidth lasts about one shortest round trip. The first sends a quarter
/// faster than the model says; the second sends a quarter slower, to drain the queue that the first
/// has built.
struct BBR: RateBasedControl {
    var window: UInt64
    var mode = Mode.startup
    var isPipeFull = false
    var growth = RateGrowth()
    var bandwidth = WindowedMaximum(rounds: 10)
    var policer = PolicerWatch()
    var bursts = AcknowledgementBursts()
    var rounds: UInt64 = 0
    var isRoundStart = false
    /// Delivered count that ends the round: it must have been reached when an acknowledged segment
    /// left.
    var roundEnd: UInt64 = 0
    var shortestRoundTrip = UInt64.max
    var shortestRoundTripAt: UInt64 = 0
    var pacingRate = FlowRate.zero
    var windowBefore: UInt64 = 0
    private(set) var phaseBefore = LossRecovery.Phase.open
    private var conservesPackets = false
    /// True after sending has resumed, until something is delivered.
    var isResuming = false
    /// Draws the first phase, so that flows do not probe in step.
    var random: RandomStream
    private(set) var segment: UInt64
    let headerSize: UInt64

    enum Mode: Equatable {
        case startup
        case drain
        case probingBandwidth(phase: Int, since: UInt64)
        case probingRoundTrip(RoundTripHold)
    }

    /// 2/ln 2: the smallest gain with which the rate doubles every round.
    static let startupGain: UInt64 = one * 2885 / 1000 + 1
    static let drainGain: UInt64 = one * 1000 / 2885
    static let phases = 8

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
        updateModel(sample)
        setPacingRate(gain: pacingGain)
        setWindow(sample)
    }

    /// Notes a loss. The end of the recovery restores the window.
    mutating func lossFound(flight: UInt64) { putWindowAside() }

    /// Handles a retransmission timeout: the round ends, and the rate may have changed.
    mutating func timedOut(flight: UInt64, remaining: UInt64, again: Bool) {
        if !again { putWindowAside() }
        window = remaining + segment
        phaseBefore = .restarting
        growth = RateGrowth()
        isRoundStart = true
    }

    mutating func resize(to size: UInt64) {
        window = Self.resized(window, from: segment, to: size)
        windowBefore = Self.resized(windowBefore, from: segment, to: size)
        segment = size
    }

    mutating func undo() {
        growth = RateGrowth()
        policer = PolicerWatch()
    }

    mutating func resume(at now: UInt64) {
        isResuming = true
        bursts.begin(at: now)
        switch mode {
        case .startup, .drain: break
        case .probingBandwidth: setPacingRate(gain: Self.one)
        case .probingRoundTrip: endRoundTripProbeIfDue(at: now)
        }
    }

    // MARK: Queries

    var rate: FlowRate {
        if policer.isInForce, let rate = policer.rate { return rate }
        return bandwidth.value
    }

    var hold: RoundTripHold? {
        get { if case .probingRoundTrip(let hold) = mode { hold } else { nil } }
        set { if let newValue { mode = .probingRoundTrip(newValue) } }
    }

    var pacingGain: UInt64 {
        switch mode {
        case .startup: Self.startupGain
        case .drain: Self.drainGain
        case .probingBandwidth(let phase, _):
            if policer.isInForce {
                Self.one
            } else {
                switch phase {
                case 0: Self.one * 5 / 4
                case 1: Self.one * 3 / 4
                default: Self.one
                }
            }
        case .probingRoundTrip: Self.one
        }
    }

    /// Returns the bytes in flight that fill the pipe without a queue, times the gain, plus room
    /// for bursts.
    func flight(at rate: FlowRate, gain: UInt64) -> UInt64 {
        withRoomForBursts(product(of: rate, gain: gain))
    }

    // MARK: Private parts

    /// Starts from the handshake's round trip, before any rate is known.
    private mutating func begin(_ sample: DeliverySample) {
        guard sample.smoothed > 0 else { return }
        shortestRoundTrip = sample.shortestRoundTrip
        shortestRoundTripAt = sample.now
        bursts.begin(at: sample.now)
        pacingRate = paced(FlowRate(window, in: sample.smoothed), gain: Self.startupGain)
    }

    private func withRoomForBursts(_ flight: UInt64) -> UInt64 {
        var segments = (flight + 3 * quantum + segment - 1) / segment
        // An even number, because receivers acknowledge every second segment.
        segments += segments & 1
        if case .probingBandwidth(phase: 0, _) = mode { segments += 2 }
        return segments * segment
    }

    private mutating func setWindow(_ sample: DeliverySample) {
        defer {
            if isProbingRoundTrip { window = min(window, smallestWindow) }
        }
        guard sample.newlyDelivered > 0 else { return }
        if followsRecovery(sample) { return }
        var target = product(of: rate, gain: windowGain)
        if isPipeFull { target += bursts.allowance(at: rate) }
        target = withRoomForBursts(target)
        if isPipeFull {
            window = min(window + sample.newlyDelivered, target)
        } else if window < target || sample.delivered < usualWindow {
            window += sample.newlyDelivered
        }
        window = max(window, smallestWindow)
    }

    private var windowGain: UInt64 {
        switch mode {
        case .startup, .drain: Self.startupGain
        case .probingBandwidth: 2 * Self.one
        case .probingRoundTrip: Self.one
        }
    }

    /// Sends only as much as arrives in the first round of a recovery, and restores the window at
    /// its end. Returns true if the model must not set the window.
    private mutating func followsRecovery(_ sample: DeliverySample) -> Bool {
        if sample.newlyLost > 0 {
            window = max(window - min(sample.newlyLost, window), segment)
        }
        if sample.phase == .repairing, phaseBefore != .repairing {
            conservesPackets = true
            roundEnd = sample.delivered
            window = sample.inFlight + sample.newlyDelivered
        } else if sample.phase == .open, phaseBefore != .open {
            window = max(window, windowBefore)
            conservesPackets = false
        }
        phaseBefore = sample.phase
        guard conservesPackets else { return false }
        window = max(window, sample.inFlight + sample.newlyDelivered)
        return true
    }

    mutating func roundStarts() { conservesPackets = false }
}
