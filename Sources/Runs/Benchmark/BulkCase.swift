import LinkModels
import Protocols
import Quantities

/// Bulk flows over one link: what is measured, and nothing about how.
struct BulkCase: Hashable, Sendable {
    var rate = Bitrate(bitsPerSecond: 100_000_000)
    /// The delay of each direction.
    var delay = TimeSpan.milliseconds(20)
    var loss = Probability.never
    var flowCount = 1
    /// The rates of flows of the paced transport; `nil` for TCP.
    var paced: PacedSettings?
    /// The length of each flow; `nil`: flows go on until the limit.
    var length: ByteCount?
    var limit = TimeSpan.seconds(600)

    static let seed: UInt64 = 1

    /// Both directions are alike, but only the one that carries data loses packets at random.
    var uplink: LinkPlan {
        link("uplink", filters: loss == .never ? [] : [.independentLoss(loss)])
    }

    var downlink: LinkPlan { link("downlink", filters: []) }

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
