import Quantities

/// Updates the model of the path from acknowledgements, and the mode from the model.
extension BBR {
    /// Time without a shorter round trip, after which the queue is emptied to measure a new one.
    private static let roundTripWindow: UInt64 = 10_000_000_000

    mutating func updateModel(_ sample: DeliverySample) {
        isRoundStart = false
        if let interval = sample.interval {
            measure(interval, sample)
            bursts.count(
                sample.newlyDelivered, at: sample.now, rate: rate, isRoundStart: isRoundStart,
                window: window)
        }
        if case .probingBandwidth(let phase, let since) = mode,
            isPhaseOver(since: since, sample)
        {
            mode = .probingBandwidth(phase: (phase + 1) % Self.phases, since: sample.now)
        }
        judgePipe(sample)
        if mode == .startup, isPipeFull { mode = .drain }
        if mode == .drain,
            flightAtDeparture(sample.inFlight, sample)
                <= flight(at: bandwidth.value, gain: Self.one)
        {
            probeBandwidth(at: sample.now)
        }
        updateRoundTrip(sample)
    }

    mutating func endRoundTripProbeIfDue(at now: UInt64) {
        guard case .holding(let until, _) = hold, now > until else { return }
        shortestRoundTripAt = now
        restoreWindow()
        if isPipeFull { probeBandwidth(at: now) } else { mode = .startup }
    }

    private mutating func measure(
        _ interval: DeliverySample.Interval, _ sample: DeliverySample
    ) {
        if interval.deliveredBefore >= roundEnd {
            roundEnd = sample.delivered
            rounds += 1
            isRoundStart = true
            roundStarts()
        }
        if policer.judge(
            sample, isRoundStart: isRoundStart, isProbingBandwidth: isProbingBandwidth)
        {
            probeBandwidth(at: sample.now)
        }
        // While the application limits the rate, only a higher rate says something about the path.
        let rate = interval.rate
        if !interval.isApplicationLimited || rate >= bandwidth.value {
            bandwidth.insert(rate, round: rounds)
        }
    }

    /// Starts to probe for bandwidth, in any phase but the one that sends more slowly.
    private mutating func probeBandwidth(at now: UInt64) {
        let phase = (Self.phases - Int(random.below(7))) % Self.phases
        mode = .probingBandwidth(phase: phase, since: now)
    }

    private var isProbingBandwidth: Bool {
        if case .probingBandwidth = mode { true } else { false }
    }

    private func isPhaseOver(since: UInt64, _ sample: DeliverySample) -> Bool {
        let isLong = sample.now - since > shortestRoundTrip
        let gain = pacingGain
        if gain == Self.one { return isLong }
        let inFlight = flightAtDeparture(sample.inFlightBefore, sample)
        if gain > Self.one {
            // Probes until that much is in flight or a queue overflows.
            let isAsked = inFlight >= flight(at: bandwidth.value, gain: gain)
            return isLong && (sample.newlyLost > 0 || isAsked)
        }
        return isLong || inFlight <= flight(at: bandwidth.value, gain: Self.one)
    }

    /// Judges the pipe full after three rounds without a quarter more rate.
    private mutating func judgePipe(_ sample: DeliverySample) {
        guard !isPipeFull, isRoundStart, sample.interval?.isApplicationLimited != true else {
            return
        }
        isPipeFull = growth.isOver(at: bandwidth.value)
    }

    private mutating func updateRoundTrip(_ sample: DeliverySample) {
        defer {
            if sample.newlyDelivered > 0 { isResuming = false }
        }
        let isOld = sample.now > shortestRoundTripAt + Self.roundTripWindow
        if let roundTrip = sample.roundTrip, roundTrip < shortestRoundTrip || isOld {
            shortestRoundTrip = roundTrip
            shortestRoundTripAt = sample.now
        }
        if isOld, !isResuming, !isProbingRoundTrip {
            // The mode changes first, as in Linux, so that a larger window saved earlier is kept.
            hold = .draining
            putWindowAside()
        }
        holdRoundTrip(below: smallestWindow, sample)
    }
}
