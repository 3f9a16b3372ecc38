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

    /// Each way has half of the round trip; each queue holds one bandwidth-delay product.
    package init(rate: Bitrate, roundTrip: TimeSpan, losses: [UInt64], limit: TimeSpan) {
        let delay = TimeSpan(nanoseconds: roundTrip.nanoseconds / 2)
        let bits = roundTrip.nanoseconds.magnitude.multipliedFullWidth(by: rate.bitsPerSecond)
        let product = UInt64(8_000_000_000).dividingFullWidth(bits).quotient
        let bottleneck = BottleneckPlan(rate: rate, queue: .dropTail(limit: ByteCount(product)))
        uplink = LinkPlan(
            name: "uplink", filters: losses.isEmpty ? [] : [.listedDataLoss(losses)], delay: delay,
            bottleneck: bottleneck)
        downlink = LinkPlan(name: "downlink", filters: [], delay: delay, bottleneck: bottleneck)
        self.losses = losses
        self.limit = limit
    }
}
