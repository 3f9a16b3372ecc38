package import Quantities

/// One direction of a link, as a scenario describes it: filter stages in order, then the
/// bottleneck.
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

    /// The share of packets that the filters lose before the queue is asked.
    package var meanLoss: Probability {
        let chances = filters.map { filter in
            switch filter {
            case .independentLoss(let chance): chance
            }
        }
        guard chances.count > 1 else { return chances.first ?? .never }
        let passing = chances.reduce(1.0) { $0 * (1 - Double($1.threshold) / 0x1p53) }
        return Probability(percent: 100 * (1 - passing)) ?? .always
    }
}

/// A stage that decides about each packet by itself.
package enum FilterPlan: Hashable, Sendable {
    case independentLoss(Probability)

    /// The second half of the name of its random stream.
    package var kind: String {
        switch self {
        case .independentLoss: "loss"
        }
    }
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
