package import Quantities

/// One direction of a link, as a scenario describes it: filter stages in order, then the bottleneck.
package struct LinkPlan: Hashable, Sendable {
    /// `uplink` or `downlink`; also the first half of the names of its random streams.
    package var name: String
    package var filters: [FilterPlan]
    package var delay: TimeSpan
    package var bottleneck: BottleneckPlan

    package init(
        name: String, filters: [FilterPlan], delay: TimeSpan, bottleneck: BottleneckPlan
    ) {
        self.name = name
        self.filters = filters
        self.delay = delay
        self.bottleneck = bottleneck
    }
}

/// A stage that decides about each packet by itself.
package enum FilterPlan: Hashable, Sendable {
    case independentLoss(Probability)
}

/// A queue discipline joined with a rate schedule.
package struct BottleneckPlan: Hashable, Sendable {
    package enum Queue: Hashable, Sendable {
        /// Waiting packets take at most so many bytes; one more is dropped.
        case dropTail(limit: ByteCount)
    }

    package var rate: Bitrate
    package var queue: Queue

    package init(rate: Bitrate, queue: Queue) {
        self.rate = rate
        self.queue = queue
    }
}
