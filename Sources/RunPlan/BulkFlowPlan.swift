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
    /// Packets of others on the uplink.
    package let others: TrafficSource.Plan?
    /// The requests and answers of the flow; without them, it sends without a pause.
    package let conversation: UploadConversation?
    /// When a second flow with the same ends begins to send, without a pause, on the same link.
    package let rivalBegin: TimeSpan?

    /// The largest buffers of the two ends.
    package enum Buffers: Hashable, Sendable {
        /// So large that only the network limits the flow.
        case ample
        /// Linux's.
        case usual
    }

    /// A time in which the uplink carries nothing.
    package struct Outage: Hashable, Sendable {
        package var from: TimeSpan
        package var to: TimeSpan

        package init(from: TimeSpan, to: TimeSpan) {
            self.from = from
            self.to = to
        }

        fileprivate func schedule(of rate: Bitrate) -> RateSchedule? {
            RateSteps([.init(from: .zero, rate: rate)])?.interrupted(from: from, to: to)
                .map { .steps($0) }
        }
    }

    /// Each way has half of the round trip, and the uplink jitter on top; each queue holds
    /// `queuePercent` of one bandwidth-delay product.
    package init(
        rate: Bitrate, roundTrip: TimeSpan, jitter: TimeSpan = .zero, queuePercent: UInt64 = 100,
        losses: [UInt64], limit: TimeSpan, buffers: Buffers = .ample,
        writes: TCPSettings.Writes = .nonBlocking, outage: Outage? = nil,
        others: TrafficSource.Plan? = nil, conversation: UploadConversation? = nil,
        rivalBegin: TimeSpan? = nil, seed: UInt64 = 1
    ) {
        let delay = TimeSpan(nanoseconds: roundTrip.nanoseconds / 2)
        let bits = roundTrip.nanoseconds.magnitude.multipliedFullWidth(by: rate.bitsPerSecond)
        let product = UInt64(8_000_000_000).dividingFullWidth(bits).quotient
        let queue = BottleneckPlan.Queue.dropTail(
            limit: ByteCount(product * queuePercent / 100))
        let bottleneck = BottleneckPlan(rate: rate, queue: queue)
        var filters: [FilterPlan] = []
        if !losses.isEmpty { filters.append(.listedDataLoss(losses)) }
        if jitter > .zero { filters.append(.jitter(.uniform(jitter))) }
        uplink = LinkPlan(
            name: "uplink", filters: filters, delay: delay,
            bottleneck: outage?.schedule(of: rate)
                .map { BottleneckPlan(schedule: $0, queue: queue) } ?? bottleneck)
        downlink = LinkPlan(name: "downlink", filters: [], delay: delay, bottleneck: bottleneck)
        self.losses = losses
        self.limit = limit
        self.buffers = buffers
        self.writes = writes
        self.seed = seed
        self.others = others
        self.conversation = conversation
        self.rivalBegin = rivalBegin
    }
}
