package import Quantities

/// A link direction: its plan, so that a check can know the physics, and its books at the end.
package enum LinkFact: Hashable, Sendable, Codable {
    case planned(link: UInt16, LinkTerms)
    case counted(link: UInt16, LinkCount)
    /// Somebody else sends here, too.
    case shared(link: UInt16, SharingTerms)
    /// What came of that by the end.
    case shareCounted(link: UInt16, SharingCount)
    /// It carries nothing from now on, and what was on it is lost.
    case down(link: UInt16)
    case up(link: UInt16)

    // The names that values without a label have in `events.jsonl`.
    private enum PlannedCodingKeys: String, CodingKey { case link, _1 = "terms" }
    private enum CountedCodingKeys: String, CodingKey { case link, _1 = "count" }
    private enum SharedCodingKeys: String, CodingKey { case link, _1 = "terms" }
    private enum ShareCountedCodingKeys: String, CodingKey { case link, _1 = "count" }

    package var sentence: String {
        switch self {
        case .planned(_, let terms): terms.sentence
        case .counted(let link, let count):
            "link \(link): \(count.sent.packets) packets sent, "
                + "\(count.delivered.packets) delivered, \(count.dropped.packets) dropped, "
                + "\(count.inFlight.packets) in flight"
                + (count.marked.map { "; \($0.packets) of those delivered are marked" } ?? "")
        case .shared(let link, let terms):
            "link \(link) is shared: flow \(terms.flow) is \(terms.what)"
        case .shareCounted(let link, let count):
            "link \(link): \(count.delivered.packets) packets of flow \(count.flow) delivered"
        case .down(let link): "link \(link) goes down, with all that is on it"
        case .up(let link): "link \(link) is up again"
        }
    }
}

/// What a link direction promises: nothing passes faster than this. What is not said of a plain
/// link is optional, so that its log stays as it is when links learn more.
package struct LinkTerms: Hashable, Sendable, Codable {
    package var name: String
    package var rate: Bitrate
    /// The least that a packet takes, whatever comes on top.
    package var delay: TimeSpan
    package var queueLimit: ByteCount
    package var loss: Probability
    /// Said only if packets may overtake each other.
    package var keepsOrder: Bool?
    /// Said only if packets may come closer to each other than the rate would send them.
    package var keepsDistance: Bool?
    /// Said only if the queue may mark packets instead of dropping them.
    package var marks: Bool?
    /// Said only if the rate changes: `rate` is the fastest then.
    package var rateSteps: [RateStep]?
    /// After this the steps begin again.
    package var ratePeriod: TimeSpan?
    /// Said only of a trace: the milliseconds at which 1500 bytes could leave, which come again
    /// after the last; `rate` is the mean then.
    package var chances: [UInt64]?

    package struct RateStep: Hashable, Sendable, Codable {
        package var from: TimeSpan
        /// `nil`: nothing is sent.
        package var rate: Bitrate?

        package init(from: TimeSpan, rate: Bitrate?) {
            self.from = from
            self.rate = rate
        }
    }

    package init(
        name: String, rate: Bitrate, delay: TimeSpan, queueLimit: ByteCount, loss: Probability
    ) {
        self.name = name
        self.rate = rate
        self.delay = delay
        self.queueLimit = queueLimit
        self.loss = loss
    }

    package var sentence: String {
        let lost = loss == .never ? "" : ", \(loss) of packets lost"
        let mixed = keepsOrder == false ? ", order not kept" : ""
        let changing = rateSteps.map { ", its rate changing in \($0.count) steps" } ?? ""
        return "the \(name) carries \(rate) after \(delay), behind a queue of \(queueLimit)\(lost)"
            + mixed + changing
    }
}

/// A link direction's books: sent + duplicated = delivered + dropped + in flight.
package struct LinkCount: Hashable, Sendable, Codable {
    package struct Tally: Hashable, Sendable, Codable {
        package var packets: UInt64 = 0
        package var bytes: UInt64 = 0
        package init() {}
        package mutating func add(bytes count: Int) {
            packets += 1
            bytes += UInt64(count)
        }
    }

    package var sent = Tally()
    package var duplicated = Tally()
    package var delivered = Tally()
    package var dropped = Tally()
    package var inFlight = Tally()
    /// Said only if packets were dropped.
    package var drops: Drops?

    /// How many packets were dropped, and by what.
    package struct Drops: Hashable, Sendable, Codable {
        /// By a filter stage: the way has lost them.
        package var lost: UInt64 = 0
        /// They were larger than the way can carry.
        package var tooLarge: UInt64 = 0
        /// By the queue, for want of room or by its discipline.
        package var byQueue: UInt64 = 0
        /// The link was down, or went down while they were on it; said only if there are any.
        package var whileDown: UInt64?

        package init() {}
    }
    /// Those of the delivered that the queue has marked; said only if there are any.
    package var marked: Tally?

    package init() {}
}

/// Traffic on a link that is not the run's own.
package struct SharingTerms: Hashable, Sendable, Codable {
    /// The number that its packets have in their records.
    package var flow: UInt16
    /// In words.
    package var what: String

    package init(flow: UInt16, what: String) {
        self.flow = flow
        self.what = what
    }
}

/// What its host has received of such traffic.
package struct SharingCount: Hashable, Sendable, Codable {
    package var flow: UInt16
    package var delivered: LinkCount.Tally

    package init(flow: UInt16, delivered: LinkCount.Tally) {
        self.flow = flow
        self.delivered = delivered
    }
}
