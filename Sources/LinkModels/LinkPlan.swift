package import Quantities

/// One direction of a link, as a scenario describes it: filter stages in order, then the
/// bottleneck, then the way.
package struct LinkPlan: Hashable, Sendable {
    /// The name, `uplink` or `downlink`; also the first half of the names of its random streams.
    package var name: String
    package var filters: [FilterPlan]
    /// The delay, or the least one if it changes.
    package var delay: TimeSpan
    /// The course of a delay that changes.
    package var delays: DelayCourse?
    package var bottleneck: BottleneckPlan
    /// Changes of the cell, which the bottleneck's schedule knows already; `nil`: there are none.
    package var cells: CellChanges?
    /// Losses behind the queue, as on the air.
    package var lossesOnWay: [FilterPlan] = []
    /// Delivery in bursts, at the end of the way.
    package var slots: Slots.Options?

    package init(
        name: String, filters: [FilterPlan], delay: TimeSpan, delays: DelayCourse? = nil,
        bottleneck: BottleneckPlan, cells: CellChanges? = nil
    ) {
        self.name = name
        self.filters = filters
        self.delay = delay
        self.delays = delays
        self.bottleneck = bottleneck
        self.cells = cells
    }

    /// The longest delay without jitter.
    package var longestDelay: TimeSpan { delays?.longest ?? delay }

    /// Whether packets arrive in the order in which they were sent.
    package var keepsOrder: Bool {
        switch bottleneck.queue {
        case .disciplined(.fairQueueCoDel, _), .disciplined(.cake, _),
            .disciplined(.dualPI2, _):
            false
        case .disciplined, .dropTail, .dropTailPackets: !overtakesOnWay
        }
    }

    /// Whether packets keep their order among those that are scalable, and among the others.
    package var keepsOrderOfEachMarking: Bool {
        if case .disciplined(.dualPI2, _) = bottleneck.queue { !overtakesOnWay } else { false }
    }

    /// Whether packets may arrive in an order other than that of their departure.
    package var overtakesOnWay: Bool {
        filters.contains { $0.kind == "reorder" }
    }

    /// Whether ordered packets arrive no closer together than the schedule lets them leave.
    package var keepsDistance: Bool {
        !overtakesOnWay && !(variesDelay && bottleneck.schedule != nil) && slots == nil
    }

    /// Whether packets would overtake each other if they did not wait.
    package var variesDelay: Bool {
        delays != nil || filters.contains(where: \.delaysAtRandom)
    }

    /// The policer, which comes before all other filters.
    package var policer: TokenBucket.Options? {
        if case .policer(let options)? = filters.first { options } else { nil }
    }

    package var sizeLimits: [SizeLimit] {
        filters.compactMap { if case .sizeLimit(let limit) = $0 { limit } else { nil } }
    }

    /// Returns the largest packet of which senders learn in this way; `nil`: there is no limit.
    package func largestPacket(told: SizeLimit.Told) -> ByteCount? {
        sizeLimits.filter { $0.told == told }.map(\.size).min()
    }

    /// The share of packets that the filters drop.
    package var meanLoss: Probability {
        let losing = (filters + lossesOnWay).filter { $0.meanLoss > 0 }
        // A single loss stays exact instead of going through a product.
        if losing.count == 1, case .independentLoss(let chance) = losing[0] { return chance }
        let passing = losing.reduce(1.0) { $0 * (1 - $1.meanLoss) }
        return Probability(percent: 100 * (1 - passing)) ?? .always
    }
}

/// A queue discipline joined with a rate schedule.
package struct BottleneckPlan: Hashable, Sendable {
    package enum Queue: Hashable, Sendable {
        /// A queue limited in bytes; a packet that does not fit is dropped.
        case dropTail(limit: ByteCount)
        /// A queue limited in packets of any size.
        case dropTailPackets(Int)
        case disciplined(DisciplinePlan, limit: ByteCount)

        /// The limit in bytes; a packet counts as 1500 bytes.
        package var limit: ByteCount {
            switch self {
            case .dropTail(let limit), .disciplined(_, let limit): limit
            case .dropTailPackets(let count): ByteCount(UInt64(count) * 1_500)
            }
        }
    }

    /// The constant rate, or the nominal rate of a schedule.
    package let rate: Bitrate
    package let schedule: RateSchedule?
    package var queue: Queue

    package init(rate: Bitrate, queue: Queue) {
        self.rate = rate
        schedule = nil
        self.queue = queue
    }

    package init(schedule: RateSchedule, queue: Queue) {
        rate = schedule.nominal
        self.schedule = schedule
        self.queue = queue
    }
}

/// A queue discipline that decides about waiting packets.
package enum DisciplinePlan: Hashable, Sendable {
    /// The oldest packet is dropped to make room.
    case dropHead
    case coDel(CoDel.Options)
    case fairQueueCoDel(FairQueueCoDel.Options)
    case pie(PIE.Options)
    case red(RED.Options)
    case dualPI2(DualPI2.Options)
    case cake(Cake.Options)

    var lineCount: Int {
        switch self {
        case .dropHead, .coDel, .pie, .red: 1
        case .fairQueueCoDel(let options): options.flows
        case .dualPI2: 2
        case .cake: Cake.lineCount
        }
    }

    /// Whether the discipline may mark a packet instead of dropping it.
    package var marks: Bool {
        switch self {
        case .dropHead: false
        case .coDel(let options): options.marks || options.threshold != nil
        case .fairQueueCoDel(let options):
            options.control.marks || options.control.threshold != nil
        case .pie(let options): options.marks
        case .red(let options): options.marks
        case .dualPI2, .cake: true
        }
    }
}
