import Quantities

/// What a probe for bandwidth remembers (§2.14).
struct BandwidthProbe {
    /// Rounds since the latest probe, and a random one.
    var rounds: UInt64 = 0
    /// Time at which the cycle began, and the longest time until the next probe.
    var begunAt: UInt64 = 0
    var wait: UInt64 = 0
    /// Whether acknowledgements answer segments of a probe: BBR.is_bw_probe_sample.
    var isHeard = false
    /// Whether a probe is over and its last answers are on the way: ACKS_PROBE_STOPPING.
    var isEnding = false
    /// Whether the latest probe has lost too much, and whether it has stopped where an earlier one
    /// had: BBR.prev_probe_too_high and BBR.prev_probe_precautionary.
    var wasTooHigh = false
    var wasCautious = false
    /// Rounds, bytes and bytes for each segment more, while the long-term bound rises.
    var raises: UInt64 = 0
    var acknowledged: UInt64 = 0
    var bytesPerRaise = UInt64.max
}

/// The cycle of probes for bandwidth (§5.3.3), and what their losses say.
extension BBRv3 {
    private static let shortestWait: UInt64 = 2_000_000_000
    private static let spreadOfWaits: UInt64 = 1_000_000_000
    /// Rounds after which a Reno flow of 25 Mbit/s and 30 ms would have its next loss.
    private static let mostRounds: UInt64 = 63
    private static let mostRaises: UInt64 = 30

    /// Handles losses found since the latest acknowledgement (§5.5.10.2).
    mutating func noteLosses(_ sample: DeliverySample) {
        let isMarked = losses.isMarked
        let isRepaired = losses.isHidden && sample.phase == .open
        let isNew = sample.lost > losses.lost || isRepaired || isMarked
        losses.lost = sample.lost
        losses.isHidden = false
        losses.isMarked = false
        guard isNew else { return }
        if !losses.isInRound { losses.roundEnd = sample.delivered }
        losses.isInRound = true
        losses.count += 1
        guard probe.isHeard else { return }
        if let excess = sample.excess {
            probeWasTooHigh(excess, sample)
        } else if isMarked, let interval = sample.interval {
            probeWasTooHigh(
                .init(
                    inFlight: interval.loss.inFlight,
                    isApplicationLimited: interval.isApplicationLimited), sample)
        }
    }

    /// Advances the cycle, and the long-term bound (§5.3.3.9).
    mutating func updateCycle(_ sample: DeliverySample, isWindowFull: Bool) {
        if endProbe(sample) { return }
        raiseLongTerm(sample, isWindowFull: isWindowFull)
        switch mode {
        case .down:
            if isTimeToProbe(at: sample.now) {
                startRefill()
            } else if isDrained(sample) {
                mode = .cruise
            }
        case .cruise:
            if isTimeToProbe(at: sample.now) { startRefill() }
        case .refill:
            guard isRoundStart else { return }
            probe.isHeard = true
            startUp(sample)
        case .up:
            guard isTimeToGoDown(sample, isWindowFull: isWindowFull) else { return }
            probe.wasTooHigh = false
            startDown(at: sample.now)
        case .startup, .drain, .probingRoundTrip: break
        }
    }

    // MARK: Phases

    /// Begins a cycle with the phase that drains the queue of a probe.
    mutating func startDown(at now: UInt64) {
        losses.isInRound = false
        latestRate = .zero
        latestFlight = 0
        probe.bytesPerRaise = .max
        probe.rounds = random.below(2)
        probe.wait = Self.shortestWait + random.below(Self.spreadOfWaits)
        probe.begunAt = now
        probe.isEnding = true
        roundEnd = arrived
        mode = .down
    }

    /// Begins to fill the pipe, so that the probe's losses are not those of an empty one.
    mutating func startRefill() {
        forgetShortTerm()
        probe.raises = 0
        probe.acknowledged = 0
        probe.wasCautious = false
        probe.isEnding = false
        roundEnd = arrived
        mode = .refill
    }

    private mutating func startUp(_ sample: DeliverySample) {
        roundEnd = sample.delivered
        lookForGrowth(sample)
        mode = .up
        raiseFaster()
    }

    /// Begins to look for the end of a growth, from the current rate on.
    private mutating func lookForGrowth(_ sample: DeliverySample) {
        growth = RateGrowth(from: sample.interval?.rate ?? .zero)
        hasPlateau = false
    }

    private func isTimeToProbe(at now: UInt64) -> Bool {
        let flight = min(fullPipe, window) / segment
        return now > probe.begunAt + probe.wait || probe.rounds >= min(flight, Self.mostRounds)
    }

    private func isDrained(_ sample: DeliverySample) -> Bool {
        let inFlight = flightAtDeparture(sample.inFlightBefore, sample)
        let full = withRoomForQuanta(product(of: highestRate, gain: Self.one))
        return inFlight <= min(flightWithHeadroom, full)
    }

    private mutating func isTimeToGoDown(_ sample: DeliverySample, isWindowFull: Bool) -> Bool {
        if probe.wasTooHigh,
            flightAtDeparture(sample.inFlightBefore, sample) >= longTermFlight
        {
            probe.wasCautious = true
            return true
        }
        if isWindowFull, window >= longTermFlight {
            // The bound and not the path limits the rate.
            lookForGrowth(sample)
            return false
        }
        return hasPlateau
    }

    // MARK: The long-term bound

    /// Ends a probe when its last answer has come. Returns whether the next one begins at once.
    private mutating func endProbe(_ sample: DeliverySample) -> Bool {
        guard probe.isEnding, isRoundStart else { return false }
        probe.isHeard = false
        probe.isEnding = false
        guard mode == .down || mode == .cruise || mode == .refill || mode == .up else {
            return false
        }
        if sample.interval?.isApplicationLimited == false, bestRate > .zero {
            bestRateBefore = bestRate
            bestRate = .zero
        }
        // What was too much the time before has not lost too much now.
        guard probe.wasCautious, !probe.wasTooHigh else { return false }
        startRefill()
        return true
    }

    private mutating func probeWasTooHigh(
        _ excess: DeliverySample.Excess, _ sample: DeliverySample
    ) {
        probe.wasTooHigh = true
        probe.isHeard = false
        if !excess.isApplicationLimited {
            longTermFlight = max(excess.inFlight, min(fullPipe, window) * 7 / 10)
        }
        guard mode == .up else { return }
        lossesEnd(.up)
        startDown(at: sample.now)
    }

    private mutating func raiseLongTerm(_ sample: DeliverySample, isWindowFull: Bool) {
        guard longTermFlight != .max else { return }
        if let loss = sample.interval?.loss {
            if loss.isExcessive { return }
            longTermFlight = max(longTermFlight, loss.inFlight)
        }
        guard mode == .up, isWindowFull, window >= longTermFlight else { return }
        probe.acknowledged += sample.newlyDelivered
        if probe.acknowledged >= probe.bytesPerRaise {
            longTermFlight += probe.acknowledged / probe.bytesPerRaise * segment
            probe.acknowledged %= probe.bytesPerRaise
        }
        if isRoundStart { raiseFaster() }
    }

    /// Doubles the segments by which the bound rises in a round.
    private mutating func raiseFaster() {
        probe.bytesPerRaise = max(window >> probe.raises, segment)
        probe.raises = min(probe.raises + 1, Self.mostRaises)
    }
}
