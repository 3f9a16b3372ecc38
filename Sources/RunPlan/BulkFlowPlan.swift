package import LinkModels
package import Quantities

/// One bulk flow from the client to the server, over a link that loses exactly these of its data
/// packets: what a fidelity cell plays in either world.
package struct BulkFlowPlan: Hashable, Sendable {
    package let uplink: LinkPlan
    package let downlink: LinkPlan
    /// Indices among the data packets, rising; when the last is lost, the flow is over.
    package let losses: [UInt64]
    /// At the latest it is over then.
    package let limit: TimeSpan

    /// Half of the round trip each way; each queue takes one bandwidth-delay product.
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
