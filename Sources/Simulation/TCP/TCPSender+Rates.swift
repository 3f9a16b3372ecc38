import RunLog

/// The sender's duties for rate-based controllers, and for pacing.
extension TCPSender {
    /// Linux's `tcp_pacing_ss_ratio` and `tcp_pacing_ca_ratio`, in percent.
    private static let shareInSlowStart: UInt64 = 200
    private static let shareAfterSlowStart: UInt64 = 120
    /// Prague's share after slow start.
    private static let shareOfPrague: UInt64 = 100

    /// Notes that the application limits the rate, if less than a segment is left unsent.
    mutating func noteApplicationLimit(at now: UInt64) {
        guard controller.isRateBased, dataEnd < next + segment, scoreboard.lostCount == 0,
            scoreboard.inFlight < window
        else { return }
        scoreboard.estimator.isLimited(
            untilDelivered: scoreboard.delivered + scoreboard.inFlight)
        if next == unacknowledged { controller.resume(at: now) }
    }

    mutating func pacePacket(of size: UInt64, at now: UInt64) {
        pacer.left(
            size, at: now,
            rate: controller.isRateBased ? controller.pacingRate : windowRate)
    }

    /// Rate at which a window lasts for less than a round trip, as in Linux (`tcp_pacing_rate`),
    /// counted with headers; zero while no round trip is known.
    private var windowRate: FlowRate {
        guard timer.smoothed > 0 else { return .zero }
        let isFarBelow = controller.window < controller.threshold / 2
        let usual = controller.isPrague ? Self.shareOfPrague : Self.shareAfterSlowStart
        let share = isFarBelow ? Self.shareInSlowStart : usual
        return FlowRate(max(window, next - unacknowledged), in: timer.smoothed)
            .multiplied(by: share, dividedBy: 100)
            .multiplied(by: segment + family.headerSize, dividedBy: segment)
    }

    /// Tells a rate-based controller about an acknowledgement.
    mutating func steer(
        delivered: UInt64, _ flightBefore: UInt64, lost: UInt64, _ now: UInt64
    ) {
        let shortest = scoreboard.detection.shortestRoundTrip
        let interval = scoreboard.estimator.measure(
            delivered: scoreboard.delivered, lost: scoreboard.lostBytes,
            isProgress: delivered > 0, shortestRoundTrip: shortest, at: now)
        controller.delivered(
            .init(
                now: now, delivered: scoreboard.delivered, lost: scoreboard.lostBytes,
                newlyDelivered: delivered, newlyLost: lost, inFlight: scoreboard.inFlight,
                inFlightBefore: flightBefore, departure: pacer.departure,
                smoothed: timer.smoothed, shortestRoundTrip: shortest, phase: recovery.phase,
                roundTrip: scoreboard.estimator.roundTrip, interval: interval,
                excess: scoreboard.estimator.takeExcess()))
        scoreboard.estimator.forget()
        if controller.isHoldingBack {
            scoreboard.estimator.isLimited(
                untilDelivered: scoreboard.delivered + scoreboard.inFlight)
        }
        recovery.follow(controller)
        bufferSize = max(bufferSize, min(3 * controller.window, largestBuffer))
    }
}
