import Quantities
import RunLog
import RunPlan

/// A controller whose model of the path gives a rate, at which segments leave: both versions of
/// BBR.
///
/// Segments leave one by one here, where Linux sends a millisecond's worth at a time; windows still
/// have the room that Linux adds for that (`quantum`).
protocol RateBasedControl: CongestionControl {
    /// Limit of bytes in flight.
    var window: UInt64 { get set }
    /// The content of a full segment, and the size of its headers.
    var segment: UInt64 { get }
    var headerSize: UInt64 { get }
    /// Rate at which segments leave; zero until a round trip has been measured.
    var pacingRate: FlowRate { get set }
    /// Factor of the paced rate, in 256ths.
    var pacingGain: UInt64 { get }
    /// Estimated rate of the path.
    var rate: FlowRate { get }
    var shortestRoundTrip: UInt64 { get }
    /// True once the rate has stopped growing.
    var isPipeFull: Bool { get }
    /// The step of a measurement of the round trip, if there is one. Only a change of the mode
    /// ends it.
    var hold: RoundTripHold? { get set }
    var isRoundStart: Bool { get }
    /// Delivered count that ends the round.
    var roundEnd: UInt64 { get set }
    /// Window before a recovery or a measurement of the round trip has cut it.
    var windowBefore: UInt64 { get set }
    var phaseBefore: LossRecovery.Phase { get }

    mutating func delivered(_ sample: DeliverySample)
    /// Resumes sending after the application was idle, with nothing in flight.
    mutating func resume(at now: UInt64)
    /// Undoes a false loss. The end of the recovery restores the window.
    mutating func undo()
    /// Ends a measurement that has lasted for its time.
    mutating func endRoundTripProbeIfDue(at now: UInt64)
}

/// Steps of a measurement of the shortest round trip.
enum RoundTripHold: Equatable {
    /// More is in flight than the measurement allows.
    case draining
    case holding(until: UInt64, wholeRound: Bool)
}

extension RateBasedControl {
    /// Gains are in 256ths.
    static var one: UInt64 { 256 }

    /// Zero once the rate is known.
    var threshold: UInt64 { isPipeFull ? 0 : .max }

    mutating func acknowledged(_ count: UInt64, _ sample: CongestionController.Sample) {
        preconditionFailure("BBR goes by what is delivered")
    }

    mutating func resumed(at now: UInt64, after pause: UInt64, timeout: UInt64) {
        preconditionFailure("BBR resumes by itself")
    }

    mutating func handshakeTimedOut() { window = segment }

    /// Saves the window before it is cut. If it is cut already, a larger saved window stays.
    mutating func putWindowAside() {
        if phaseBefore == .open, !isProbingRoundTrip {
            windowBefore = window
        } else {
            windowBefore = max(windowBefore, window)
        }
    }

    mutating func restoreWindow() { window = max(window, windowBefore) }

    // MARK: Measuring the round trip

    /// How long the sender waits with little in flight.
    private static var holdTime: UInt64 { 200_000_000 }

    var isProbingRoundTrip: Bool { hold != nil }

    /// Takes the next step of a measurement: waits until no more is in flight than the limit, and
    /// then for 200 ms and a round.
    mutating func holdRoundTrip(below limit: UInt64, _ sample: DeliverySample) {
        switch hold {
        case nil: break
        case .draining:
            guard sample.inFlight <= limit else { return }
            hold = .holding(until: sample.now + Self.holdTime, wholeRound: false)
            roundEnd = sample.delivered
        case .holding(let until, let wholeRound):
            guard wholeRound || isRoundStart else { return }
            hold = .holding(until: until, wholeRound: true)
            endRoundTripProbeIfDue(at: sample.now)
        }
    }

    // MARK: Rates

    /// Returns the pace for a rate. The model counts content only, and links count headers, too. A
    /// hundredth less is sent, so that a queue can drain.
    func paced(_ rate: FlowRate, gain: UInt64) -> FlowRate {
        rate.multiplied(by: gain, dividedBy: Self.one)
            .multiplied(by: (segment + headerSize) * 99, dividedBy: segment * 100)
    }

    mutating func setPacingRate(gain: UInt64) {
        let wanted = paced(rate, gain: gain)
        // Until the pipe is full, a low rate may come from slow acknowledgements.
        if isPipeFull || wanted > pacingRate { pacingRate = wanted }
    }

    // MARK: Windows

    /// The window where no round trip is known: Linux's `TCP_INIT_CWND`, whatever is set.
    var usualWindow: UInt64 { TCPSettings.usualInitialWindow * segment }

    var smallestWindow: UInt64 { 4 * segment }

    /// Bytes that Linux sends at once: about a millisecond's worth.
    var quantum: UInt64 {
        let largest: UInt64 = 65_215
        // Below 1.2 Mbit/s, Linux sends one segment at once.
        let slowRate = FlowRate(150_000, in: 1_000_000_000)
        let bytes = min(pacingRate.bytes(in: 1_000_000_000) / 1024, largest)
        let fewest: UInt64 = pacingRate < slowRate ? 1 : 2
        return max(bytes / segment, fewest) * segment
    }

    /// Returns the bytes that fill the pipe without a queue, times the gain.
    func product(of rate: FlowRate, gain: UInt64) -> UInt64 {
        guard shortestRoundTrip != .max else { return usualWindow }
        return rate.bytes(in: shortestRoundTrip) * gain / Self.one
    }

    /// Returns how much will be in flight when the next segment may leave.
    func flightAtDeparture(_ inFlight: UInt64, _ sample: DeliverySample) -> UInt64 {
        let wait = max(sample.departure, sample.now) - sample.now
        let arriving = rate.bytes(in: wait)
        let present = pacingGain > Self.one ? inFlight + quantum : inFlight
        return present - min(arriving, present)
    }
}
