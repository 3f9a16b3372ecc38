import LinkModels
package import Quantities
import TransferEngine

extension [InterfacePlan] {
    /// Returns the longest time in which so much content must be transferred once everything is
    /// healthy.
    ///
    /// It is four times the sending time over the slowest interface; for each session the round
    /// trips of its connection and its requests, with full queues; and once the rest of earlier
    /// trouble: a silent connection that is not yet given up, and the longest pause between two
    /// attempts (A16).
    package func timeToFinish(
        _ rest: ByteCount, sessions: Int, security: TransportSecurity
    ) -> TimeSpan {
        let longest = map { $0.time(for: rest, sessions: sessions, security) }.max() ?? .zero
        return longest + TransferEngine.stallLimit + RetryPolicy().longest
    }
}

extension InterfacePlan {
    /// The round trips to connect, to create or ask, to append, and the hosts' own time.
    private static let roundTripsOfSession: Int64 = 8
    /// Thirty years, so that no sum overflows.
    private static let ever = TimeSpan.seconds(1_000_000_000)

    fileprivate func time(
        for rest: ByteCount, sessions: Int, _ security: TransportSecurity
    ) -> TimeSpan {
        let way = uplink.longestDelay + downlink.longestDelay
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
    /// The waiting time of the last packet of a full queue.
    fileprivate var fullQueue: TimeSpan {
        Swift.min(bottleneck.rate.timeToSend(bottleneck.queue.limit), .seconds(60))
    }
}
