import Quantities

/// Updates the model of the path from acknowledgements, and the modes around the cycle of probes.
extension BBRv3 {
    /// Rounds after which a drain ends whatever is in flight.
    private static let drainRounds: UInt64 = 3
    private static let roundTripWindow: UInt64 = 10_000_000_000
    /// Time without a shorter round trip, after which half the pipe is emptied to measure one.
    private static let roundTripInterval: UInt64 = 5_000_000_000
    /// Acknowledgements with news of losses in a round that end the start-up, with a loss of more
    /// than a fiftieth.
    private static let lossesUntilFull = 6

    /// Follows §5.2.3, step by step.
    mutating func updateModel(_ sample: DeliverySample, isWindowFull: Bool) {
        noteLosses(sample)
        countRounds(sample)
        if let interval = sample.interval, sample.newlyDelivered > 0 {
            measure(interval)
            bursts.count(
                sample.newlyDelivered, at: sample.now, rate: rate, isRoundStart: isRoundStart,
                window: window, roundsPerHalf: isPipeFull ? 5 : 1)
            judgeGrowth(interval)
        }
        judgeLossesOfStartup(sample)
        if mode == .startup, isPipeFull { mode = .drain(since: rounds) }
        if case .drain(let since) = mode,
            rounds > since + Self.drainRounds
                || flightAtDeparture(sample.inFlight, sample) <= withRoomForQuanta(fullPipe)
        {
            startDown(at: sample.now)
        }
        if isPipeFull { updateCycle(sample, isWindowFull: isWindowFull) }
        updateRoundTrip(sample)
    }

    mutating func endRoundTripProbeIfDue(at now: UInt64) {
        guard case .holding(let until, _) = hold, now > until else { return }
        recentRoundTripAt = now
        restoreWindow()
        forgetShortTerm()
        guard isPipeFull else { return mode = .startup }
        startDown(at: now)
        // Less is in flight than fills the pipe, so there is nothing to drain.
        mode = .cruise
    }

    mutating func forgetShortTerm() {
        shortTermRate = nil
        shortTermFlight = .max
    }

    private mutating func countRounds(_ sample: DeliverySample) {
        isRoundStart = false
        losses.isRoundStart = false
        guard let interval = sample.interval, sample.newlyDelivered > 0 else { return }
        if interval.deliveredBefore >= roundEnd {
            roundEnd = sample.delivered
            rounds += 1
            probe.rounds += 1
            isRoundStart = true
        }
        if interval.deliveredBefore >= losses.roundEnd {
            losses.roundEnd = sample.delivered
            losses.isRoundStart = true
        }
    }

    private mutating func measure(_ interval: DeliverySample.Interval) {
        latestRate = max(latestRate, interval.rate)
        latestFlight = max(latestFlight, interval.bytes)
        // While the application limits the rate, only a higher rate says something about the path.
        if !interval.isApplicationLimited || interval.rate >= highestRate {
            bestRate = max(bestRate, interval.rate)
        }
        guard losses.isRoundStart else { return }
        if losses.isInRound, !isProbingBandwidth { lowerShortTerm() }
        losses.isInRound = false
    }

    /// Follows what has arrived in a round with losses, but by three tenths at most (§5.5.10.3).
    private mutating func lowerShortTerm() {
        let rate = (shortTermRate ?? highestRate).multiplied(by: 7, dividedBy: 10)
        let flight = (shortTermFlight == .max ? window : shortTermFlight) * 7 / 10
        shortTermRate = max(latestRate, rate)
        shortTermFlight = max(latestFlight, flight)
    }

    /// Looks for the end of a growth, in startup and up (§5.3.1.2).
    private mutating func judgeGrowth(_ interval: DeliverySample.Interval) {
        guard !hasPlateau, isRoundStart, !interval.isApplicationLimited else { return }
        hasPlateau = growth.isOver(at: interval.rate)
        if hasPlateau { isPipeFull = true }
    }

    /// Ends the start-up at the end of a round of a recovery with many losses (§5.3.1.3).
    private mutating func judgeLossesOfStartup(_ sample: DeliverySample) {
        guard losses.isRoundStart else { return }
        defer { losses.count = 0 }
        guard !isPipeFull, sample.phase == .repairing, losses.count >= Self.lossesUntilFull,
            let interval = sample.interval, interval.loss.isExcessive
        else { return }
        lossesEnd(.startup)
        isPipeFull = true
        longTermFlight = max(fullPipe, latestFlight)
    }

    /// Keeps the shortest round trip of ten seconds, and measures it every five (§5.3.4.3).
    private mutating func updateRoundTrip(_ sample: DeliverySample) {
        defer {
            if sample.newlyDelivered > 0 { isResuming = false }
        }
        let isDue = sample.now > recentRoundTripAt + Self.roundTripInterval
        if let roundTrip = sample.roundTrip, roundTrip < recentRoundTrip || isDue {
            recentRoundTrip = roundTrip
            recentRoundTripAt = sample.now
        }
        if recentRoundTrip < shortestRoundTrip
            || sample.now > shortestRoundTripAt + Self.roundTripWindow
        {
            shortestRoundTrip = recentRoundTrip
            shortestRoundTripAt = recentRoundTripAt
        }
        if isDue, !isResuming, !isProbingRoundTrip {
            // The mode changes first, so that a larger window saved earlier is kept.
            hold = .draining
            putWindowAside()
            probe.isEnding = true
            roundEnd = sample.delivered
        }
        holdRoundTrip(below: windowOfRoundTripProbe, sample)
    }
}

/// Rounds with losses: from the first loss of one on, so that they see all that the path delivers.
struct LossRounds {
    var roundEnd: UInt64 = 0
    var isRoundStart = false
    var isInRound = false
    /// Acknowledgements of this round with news of losses.
    var count = 0
    /// Bytes lost up to the latest acknowledgement.
    var lost: UInt64 = 0
    /// Whether a recovery has begun or a probe of the tail has repaired a loss, which `lost` does
    /// not count.
    var isHidden = false
    /// Whether packets were marked since the latest acknowledgement.
    var isMarked = false
}
