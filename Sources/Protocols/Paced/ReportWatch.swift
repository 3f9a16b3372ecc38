import Quantities

/// Watches over the reports that a sender expects: when it asks for one with a probe, when it takes
/// the path for broken, and when the session is over.
struct ReportWatch: Sendable {
    /// Since when a report is expected; `nil` if all is settled.
    private(set) var expectedSince: Instant?
    /// When reports are overdue.
    private(set) var quietFrom = Instant.end
    private(set) var roundTrip: TimeSpan?
    /// When the latest packet left.
    private var latestPacket = Instant.start
    /// Probes since the last report.
    private var probes: Int64 = 0

    static let assumedRoundTrip = TimeSpan.milliseconds(250)
    private static let shortestProbeInterval = TimeSpan.milliseconds(10)
    private static let longestProbeInterval = TimeSpan.seconds(2)
    /// The time without a report after which a session is over.
    private static let patience = TimeSpan.seconds(30)
    private static let patienceAtFirst = TimeSpan.seconds(10)

    // MARK: Events

    /// Expects a report from now on, unless one is expected already.
    mutating func expect(at now: Instant) {
        if expectedSince == nil { expectAnew(since: now) }
    }

    mutating func sent(at now: Instant) {
        latestPacket = now
        expect(at: now)
    }

    mutating func sentProbe() { probes += 1 }

    /// Counts probes anew: the next one may leave at once.
    mutating func asksAnew() { probes = 0 }

    /// Notes a report about a packet that left at `echo` and was `held` by the receiver.
    mutating func heard(echo: Instant, held: TimeSpan, expectsMore: Bool, at now: Instant) {
        probes = 0
        let sample = max(now - echo - held, .microseconds(1))
        roundTrip =
            roundTrip.map {
                TimeSpan(nanoseconds: (7 * $0.nanoseconds + sample.nanoseconds) / 8)
            } ?? sample
        expectAnew(since: expectsMore ? now : nil)
    }

    // MARK: Queries

    /// Whether reports are overdue. Only probes leave then.
    func isQuiet(at now: Instant) -> Bool { now >= quietFrom }

    /// Whether any probe has left since the last report.
    var hasProbed: Bool { probes > 0 }

    /// When the next probe may leave. The time to it doubles with each that is not answered.
    var nextProbe: Instant {
        let roundTrip = roundTrip ?? Self.assumedRoundTrip
        let half = TimeSpan(nanoseconds: roundTrip.nanoseconds / 2)
        let first = max(half, Self.shortestProbeInterval)
        return latestPacket
            + min(first * (1 << min(probes, 8)), max(Self.longestProbeInterval, half))
    }

    /// When the sender gives up, unless a report comes; `nil` if none is expected.
    func end(isOpening: Bool) -> Instant? {
        expectedSince.map { $0 + (isOpening ? Self.patienceAtFirst : Self.patience) }
    }

    private mutating func expectAnew(since moment: Instant?) {
        expectedSince = moment
        let longestSilence = (roundTrip ?? Self.assumedRoundTrip) * 4 + .milliseconds(200)
        quietFrom = moment.map { $0 + longestSilence } ?? .end
    }
}
