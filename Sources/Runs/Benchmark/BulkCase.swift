package import LinkModels
package import Quantities

/// Bulk TCP over one link: what is measured, and nothing about how.
package struct BulkCase: Hashable, Sendable {
    package var rate: Bitrate
    /// Each way.
    package var delay = TimeSpan.milliseconds(20)
    package var loss: Probability
    package var flowCount: Int
    /// Of each flow; without it, flows go on until the limit.
    package var length: ByteCount?
    package var limit: TimeSpan

    package init(
        rate: Bitrate = Bitrate(bitsPerSecond: 100_000_000), loss: Probability = .never,
        flowCount: Int = 1, length: ByteCount? = nil, limit: TimeSpan = .seconds(600)
    ) {
        self.rate = rate
        self.loss = loss
        self.flowCount = flowCount
        self.length = length
        self.limit = limit
    }

    package static let seed: UInt64 = 1

    /// Both directions are alike, but only the one that carries data loses packets at random.
    package var uplink: LinkPlan {
        link("uplink", filters: loss == .never ? [] : [.independentLoss(loss)])
    }

    package var downlink: LinkPlan { link("downlink", filters: []) }

    private func link(_ name: String, filters: [FilterPlan]) -> LinkPlan {
        LinkPlan(
            name: name, filters: filters, delay: delay,
            bottleneck: BottleneckPlan(rate: rate, queue: .dropTail(limit: queueLimit)))
    }

    /// One bandwidth-delay product.
    private var queueLimit: ByteCount {
        let roundTripMicroseconds = UInt64(2 * delay.nanoseconds / 1_000)
        return ByteCount(rate.bitsPerSecond / 8 * roundTripMicroseconds / 1_000_000)
    }
}
