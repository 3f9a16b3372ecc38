import Quantities
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
/// has built. Segments leave one by one here, where Linux sends a millisecond's worth at a time;
/// the window still has the room that Linux adds for that (`quantum`).
struct BBR: CongestionControl {
    /// Limit of bytes in flight.
    var window: UInt64
    var mode = Mode.startup
    /// True once the rate has stopped growing.
    var isPipeFull = false
    var fullRate = FlowRate.zero
    var roundsWithoutGrowth = 0
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
    /// Rate at which segments leave; zero until a round trip has been measured.
    private(set) var pacingRate = FlowRate.zero
    private(set) var windowBefore: UInt64 = 0
    private var phaseBefore = LossRecovery.Phase.open
    private var conservesPackets = false
    /// True after sending has resumed, until something is delivered.
    var isResuming = false
    /// Draws the first phase, so that flows do not probe in step.
    var random: RandomStream
    private var segment: UInt64

    enum Mode: Equatable {
        case startup
        case drain
        case probingBandwidth(phase: Int, since: UInt64)
        case probingRoundTrip(Hold)
    }

    enum Hold: Equatable {
        /// More than four segments are in flight.
        case draining
        case holding(until: UInt64, wholeRound: Bool)
    }

    /// Gains are in 256ths.
    static let one: UInt64 = 256
    /// 2/ln 2: the smallest gain with which the rate doubles every round.
    static let startupGain: UInt64 = one * 2885 / 1000 + 1
    static let drainGain: UInt64 = one * 1000 / 2885
    static let phases = 8

    init(
        _ settings: TCPSettings = TCPSettings(), segment: UInt64 = Packet.usualSegment,
        random: RandomStream
    ) {
        self.segment = segment
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

    /// Saves the window before it is cut. If it is cut already, a larger saved window stays.
    mutating func putWindowAside() {
        if phaseBefore == .open, !isProbingRoundTrip {
            windowBefore = window
        } else {
            windowBefore = max(windowBefore, window)
        }
    }

    /// Handles a retransmission timeout: the round ends, and the rate may have changed.
    mutating func timedOut(flight: UInt64, remaining: UInt64, again: Bool) {
        if !again { putWindowAside() }
        window = remaining + segment
        phaseBefore = .restarting
        fullRate = .zero
        isRoundStart = true
    }

    mutating func handshakeTimedOut() { window = segment }

    mutating func resize(to size: UInt64) {
        window = Self.resized(window, from: segment, to: size)
        windowBefore = Self.resized(windowBefore, from: segment, to: size)
        segment = size
    }

    /// Undoes a false loss. The end of the recovery restores the window.
    mutating func undo() {
        fullRate = .zero
        roundsWithoutGrowth = 0
        policer = PolicerWatch()
    }

    /// Resumes sending after the application was idle, with nothing in flight.
    mutating func resume(at now: UInt64) {
        isResuming = true
        bursts.begin(at: now)
        switch mode {
        case .startup, .drain: break
        case .probingBandwidth: setPacingRate(gain: Self.one)
        case .probingRoundTrip: endProbeIfDue(at: now)
        }
    }

    mutating func acknowledged(_ count: UInt64, _ sample: CongestionController.Sample) {
        preconditionFailure("BBR goes by what is delivered")
    }

    mutating func resumed(at now: UInt64, after pause: UInt64, timeout: UInt64) {
        preconditionFailure("BBR resumes by itself")
    }

    // MARK: Queries

    /// Zero once BBR has found its rate.
    var threshold: UInt64 { isPipeFull ? 0 : .max }

    /// Estimated rate of the path.
    var rate: FlowRate {
        if policer.isInForce, let rate = policer.rate { return rate }
        return bandwidth.value
    }

    var isProbingRoundTrip: Bool {
        if case .probingRoundTrip = mode { true } else { false }
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

    /// The window where no round trip is known: Linux's `TCP_INIT_CWND`, whatever is set.
    private var usualWindow: UInt64 { TCPSettings.usualInitialWindow * segment }

    var smallestWindow: UInt64 { 4 * segment }

    /// Bytes that Linux sends at once: about a millisecond's worth.
    var quantum: UInt64 {
        let bytes = min(pacingRate.bytes(in: 1_000_000_000) / 1024, Self.largestQuantum)
        let fewest: UInt64 = pacingRate < Self.slowRate ? 1 : 2
        return max(bytes / segment, fewest) * segment
    }

    // MARK: Private parts

    private static let largestQuantum: UInt64 = 65_215
    /// 1.2 Mbit/s; below that rate, Linux sends one segment at once.
    private static let slowRate = FlowRate(150_000, in: 1_000_000_000)
    /// Factor from the model's rate to the paced rate. The model counts content only, and links
    /// count headers, too. A hundredth less is sent, so that a queue can drain.
    private var pacedShare: UInt64 { (segment + UInt64(Packet.headerSize)) * 99 }
    private var pacedWhole: UInt64 { segment * 100 }

    /// Starts from the handshake's round trip, before any rate is known.
    private mutating func begin(_ sample: DeliverySample) {
        guard sample.smoothed > 0 else { return }
        shortestRoundTrip = sample.shortestRoundTrip
        shortestRoundTripAt = sample.now
        bursts.begin(at: sample.now)
        pacingRate = paced(FlowRate(window, in: sample.smoothed), gain: Self.startupGain)
    }

    private func paced(_ rate: FlowRate, gain: UInt64) -> FlowRate {
        rate.multiplied(by: gain, dividedBy: Self.one)
            .multiplied(by: pacedShare, dividedBy: pacedWhole)
    }

    private mutating func setPacingRate(gain: UInt64) {
        let wanted = paced(rate, gain: gain)
        // Until the pipe is full, a low rate may come from slow acknowledgements.
        if isPipeFull || wanted > pacingRate { pacingRate = wanted }
    }

    private func product(of rate: FlowRate, gain: UInt64) -> UInt64 {
        guard shortestRoundTrip != .max else { return usualWindow }
        return rate.bytes(in: shortestRoundTrip) * gain / Self.one
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

    mutating func restoreWindow() { window = max(window, windowBefore) }
}
