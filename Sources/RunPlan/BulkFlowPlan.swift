package import LinkModels
package import Quantities

/// One bulk flow from the client to the server, over a link that loses exactly these data packets.
/// A fidelity cell plays it in both worlds.
package struct BulkFlowPlan: Hashable, Sendable {
    package let uplink: LinkPlan
    package let downlink: LinkPlan
    /// Indices of the lost data packets, rising; the flow ends with the last loss.
    package let losses: [UInt64]
    /// The longest duration.
    package let limit: TimeSpan
    package let buffers: Buffers
    package let writes: TCPSettings.Writes
    /// Seed of the uplink's jitter, the same in both worlds.
    package let seed: UInt64

    /// The largest buffers of the two ends.
    package enum Buffers: Hashable, Sendable {
        /// So large that only the network limits the flow.
        case ample
        /// Linux's.
        case usual
    }

    /// Each way has half of the round trip, and the uplink jitter on top; each queue holds
    /// `queuePercent` of one bandwidth-delay product.
    package init(
        rate: Bitrate, roundTrip: TimeSpan, jitter: TimeSpan = .zero, queuePercent: UInt64 = 100,
        losses: [UInt64], limit: TimeSpan, buffers: Buffers = .ample,
        writes: TCPSettings.Writes = .nonBlocking, seed: UInt64 = 1
    ) {
        let delay = TimeSpan(nanoseconds: roundTrip.nanoseconds / 2)
        let bits = roundTrip.nanoseconds.magnitude.multipliedFullWidth(by: rate.bitsPerSecond)
        let product = UInt64(8_000_000_000).dividingFullWidth(bits).quotient
        let bottleneck = BottleneckPlan(
            rate: rate, queue: .dropTail(limit: ByteCount(product * queuePercent / 100)))
        var filters: [FilterPlan] = []
        if !losses.isEmpty { filters.append(.listedDataLoss(losses)) }
        if jitter > .zero { filters.append(.jitter(.uniform(jitter))) }
        uplink = LinkPlan(
            name: "uplink", filters: filters, delay: delay, bottleneck: bottleneck)
        downlink = LinkPlan(name: "downlink", filters: [], delay: delay, bottleneck: bottleneck)
        self.losses = losses
        self.limit = limit
        self.buffers = buffers
        self.writes = writes
        self.seed = seed
    }
}
