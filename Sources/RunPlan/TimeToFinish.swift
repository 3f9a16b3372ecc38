import LinkModels
package import Quantities
import TransferEngine

extension [InterfacePlan] {
    /// How long so much content may take at the very most, once everything is healthy: whatever a
    /// run was in the middle of has to end by then.
    ///
    /// Four times what the poorest way takes for it; for each session the round trips of its
    /// connection and its requests, with full queues; and once what is left from before: a silent
    /// connection that nobody has given up yet, and the longest pause between two attempts (A16).
    package func timeToFinish(
        _ rest: ByteCount, sessions: Int, security: TransportSecurity
    ) -> TimeSpan {
        let longest = map { $0.time(for: rest, sessions: sessions, security) }.max() ?? .zero
        return longest + TransferEngine.stallLimit + RetryPolicy().longest
    }
}

extension InterfacePlan {
    /// Connecting, creating or asking, appending, and the time that hosts take in between.
    private static let roundTripsOfSession: Int64 = 8
    /// Beyond thirty years nobody counts, and no sum could hold it.
    private static let ever = TimeSpan.seconds(1_000_000_000)

    fileprivate func time(
        for rest: ByteCount, sessions: Int, _ security: TransportSecurity
    ) -> TimeSpan {
        let way = uplink.delay + downlink.delay
        let slower = Swift.min(
            uplink.sustainedRate(over: way), downlink.sustainedRate(over: way))
        let sending = Swift.min(slower.timeToSend(rest), Self.ever)
        let waiting = uplink.fullQueue + downlink.fullQueue
        let roundTrips = Self.roundTripsOfSession + Int64(security.roundTrips)
        let talking = Swift.min((way + waiting) * roundTrips * Int64(sessions), Self.ever)
        return sending * 4 + talking
    }
}

extension LinkPlan {
    /// How long the last packet of a full queue waits.
    fileprivate var fullQueue: TimeSpan {
        Swift.min(bottleneck.rate.timeToSend(bottleneck.queue.limit), .seconds(60))
    }
}
