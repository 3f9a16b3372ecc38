package import Quantities

/// A link direction: its plan, so that checks know the physics, and its counts at the end.
package enum LinkFact: Hashable, Sendable, Codable {
    indirect case planned(link: UInt16, LinkTerms)
    indirect case counted(link: UInt16, LinkCount)
    /// The link also carries other traffic.
    indirect case shared(link: UInt16, SharingTerms)
    /// The other traffic at the end of the run.
    indirect case shareCounted(link: UInt16, SharingCount)
    /// The link carries nothing, and the packets on it are lost.
    case down(link: UInt16)
    case up(link: UInt16)

    // The names in `events.jsonl`, also of values without a label.
    private enum CodingKeys: CodingKey, CaseIterable {
        case planned, counted, shared, shareCounted, down, up
    }
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
            "link \(link) is shared: flow \(terms.flow)"
                + (terms.named.map { " of “\($0.name)”" } ?? "") + " is \(terms.what)"
        case .shareCounted(let link, let count):
            "link \(link): \(count.delivered.packets) packets of flow \(count.flow) delivered"
        case .down(let link): "link \(link) goes down, with all that is on it"
        case .up(let link): "link \(link) is up again"
        }
    }
}

/// The limits of a link direction. Properties of special links are optional, so that the log of a
/// plain link stays the same when links gain properties.
package struct LinkTerms: Hashable, Sendable, Codable {
    package var name: String
    package var rate: Bitrate
    /// The shortest delay of a packet.
    package var delay: TimeSpan
    package var queueLimit: ByteCount
    package var loss: Probability
    /// Set only if packets may overtake each other.
    package var keepsOrder: Bool?
    /// Set only if packets may overtake each other, but no scalable packet a scalable one, and no
    /// other packet another.
    package var keepsOrderOfEachMarking: Bool?
    /// Set only if packets may be closer together than the rate allows.
    package var keepsDistance: Bool?
    /// Set only if the queue may mark packets instead of dropping them.
    package var marks: Bool?
    /// Set only if the queue marks everything that has waited for longer than a threshold, and the
    /// moment of departure follows from that of arrival.
    package var markThreshold: MarkThreshold?
    /// Set only if the rate changes; `rate` is the fastest one.
    package var rateSteps: [RateStep]?
    /// The period after which the steps begin again.
    package var ratePeriod: TimeSpan?
    /// Set only for a trace: the milliseconds at which 1500 bytes can leave. The trace repeats, and
    /// `rate` is the mean.
    package var chances: [UInt64]?
    /// Set only if a radio makes packets wait.
    package var waits: RadioWaits?
    /// Set only if changes of the cell lose what waits.
    package var forgets: CellTerms?
    /// Set only for a trace in a file: its number in the run's `traces`, from 0.
    package var trace: Int?
    /// Set only if the delay changes; `delay` is the least one.
    package var delaySteps: [DelayStep]?
    /// Set only if the delay changes by a trace in a file: its number in the run's `traces`.
    package var delayTrace: Int?
    /// Set only if packets wait for the tokens of a bucket; `rate` is the line's.
    package var shaper: Bucket?
    /// Set only if packets are dropped at the entry unless a bucket has tokens for them.
    package var policer: Bucket?
    /// Set only if packets may be lost behind the queue, and no waiting packet is ever dropped.
    package var losesOnWay: Bool?
    /// Set only if packets are gathered, and delivered in bursts.
    package var slots: Slots?
    /// Set only for Wi-Fi; `rate` is the highest one of the physical layer.
    package var air: Air?
    /// Set only if satellites take turns: what is sent at the beginning of a turn is lost.
    package var satellites: Satellites?
    /// Set only if some packets are too large to pass.
    package var largestPackets: [LargestPacket]?
    /// Set only if packets are lost, and each by the same chance: the flow that formulas describe.
    package var bulk: BulkFlow?

    package struct RateStep: Hashable, Sendable, Codable {
        package var from: TimeSpan
        /// The rate; `nil` if nothing is sent.
        package var rate: Bitrate?

        package init(from: TimeSpan, rate: Bitrate?) {
            self.from = from
            self.rate = rate
        }
    }

    package struct MarkThreshold: Hashable, Sendable, Codable {
        package var delay: TimeSpan
        /// Set only if scalable packets are marked, but no others.
        package var onlyScalable: Bool?

        package init(delay: TimeSpan, onlyScalable: Bool?) {
            self.delay = delay
            self.onlyScalable = onlyScalable
        }
    }

    package struct DelayStep: Hashable, Sendable, Codable {
        package var from: TimeSpan
        package var delay: TimeSpan

        package init(from: TimeSpan, delay: TimeSpan) {
            self.from = from
            self.delay = delay
        }
    }

    /// A token bucket.
    package struct Bucket: Hashable, Sendable, Codable {
        package var rate: Bitrate
        package var burst: ByteCount

        package init(rate: Bitrate, burst: ByteCount) {
            self.rate = rate
            self.burst = burst
        }
    }

    /// An aggregate: what it carries at most, the bytes that it adds to each packet, and the least
    /// time from its last packet to the first one of the next aggregate, without that packet's own.
    package struct Air: Hashable, Sendable, Codable {
        package var packets: UInt64
        package var bytes: ByteCount
        package var framing: UInt64
        package var overhead: TimeSpan

        package init(packets: UInt64, bytes: ByteCount, framing: UInt64, overhead: TimeSpan) {
            self.packets = packets
            self.bytes = bytes
            self.framing = framing
            self.overhead = overhead
        }
    }

    /// The largest packet that passes.
    package struct LargestPacket: Hashable, Sendable, Codable {
        package var size: ByteCount
        /// Whether the hosts know of the limit.
        package var isKnown: Bool
        /// Whether a router tells a host that has exceeded the limit.
        package var isTold: Bool

        package init(size: ByteCount, isKnown: Bool, isTold: Bool) {
            self.size = size
            self.isKnown = isKnown
            self.isTold = isTold
        }
    }

    package struct Satellites: Hashable, Sendable, Codable {
        package var every: TimeSpan
        package var outage: TimeSpan

        package init(every: TimeSpan, outage: TimeSpan) {
            self.every = every
            self.outage = outage
        }
    }

    /// The time from a slot to the next, and what fits into one.
    package struct Slots: Hashable, Sendable, Codable {
        package var shortest: TimeSpan
        package var longest: TimeSpan
        package var packets: UInt64?
        package var bytes: ByteCount?

        package init(
            shortest: TimeSpan, longest: TimeSpan, packets: UInt64?, bytes: ByteCount?
        ) {
            self.shortest = shortest
            self.longest = longest
            self.packets = packets
            self.bytes = bytes
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

    /// Whether the rate is the same at all times.
    package var hasConstantRate: Bool { rateSteps == nil && chances == nil && trace == nil }
    package var hasConstantDelay: Bool { delaySteps == nil && delayTrace == nil }

    package var sentence: String {
        let lost = loss == .never ? "" : ", \(loss) of packets lost"
        let mixed = keepsOrder == false ? ", order not kept" : ""
        let changing = rateSteps.map { ", its rate changing in \($0.count) steps" } ?? ""
        let least = hasConstantDelay ? "" : "at least "
        return "the \(name) carries \(rate) after \(least)\(delay), behind a queue of "
            + "\(queueLimit)\(lost)" + mixed + changing
            + (shaper.map { ", shaped to \($0.rate)" } ?? "")
            + (policer.map { ", policed to \($0.rate)" } ?? "")
            + (slots == nil ? "" : ", in bursts")
            + (air == nil ? "" : ", over Wi-Fi")
            + (waits == nil ? "" : ", over a radio that rests")
    }
}

/// The counts of a link direction: sent + duplicated = delivered + dropped + in flight.
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
    /// Set only if packets were dropped.
    package var drops: Drops?

    /// The dropped packets by cause.
    package struct Drops: Hashable, Sendable, Codable {
        /// Lost by a filter stage, before or behind the queue.
        package var lost: UInt64 = 0
        /// Larger than the link's largest packet.
        package var tooLarge: UInt64 = 0
        /// Dropped by the queue, because it was full or by its discipline.
        package var byQueue: UInt64 = 0
        /// Lost because the link was down or went down; set only if there are any.
        package var whileDown: UInt64?
        /// Dropped by a policer; set only if there are any.
        package var policed: UInt64?

        package init() {}
    }
    /// Delivered packets that the queue marked; set only if there are any.
    package var marked: Tally?

    package init() {}
}

/// Other traffic on a link.
package struct SharingTerms: Hashable, Sendable, Codable {
    /// The flow number in packet records.
    package var flow: UInt16
    /// The kind of traffic in words.
    package var what: String
    /// Set only if the scenario measures the flow.
    package var named: NamedFlow?

    package init(flow: UInt16, what: String, named: NamedFlow? = nil) {
        self.flow = flow
        self.what = what
        self.named = named
    }
}

/// Other traffic that its host received.
package struct SharingCount: Hashable, Sendable, Codable {
    package var flow: UInt16
    package var delivered: LinkCount.Tally

    package init(flow: UInt16, delivered: LinkCount.Tally) {
        self.flow = flow
        self.delivered = delivered
    }
}
