import LinkModels
import Quantities
import RunPlan

/// One direction of a link while it is read.
struct LinkDraft {
    /// The direction of a profile that is meant.
    var side = Side.up
    var rate: Bitrate?
    /// The schedule of a rate that changes.
    var schedule: RateSchedule?
    /// The delay, or the least one if it changes.
    var delay: TimeSpan?
    /// The course of a delay that changes.
    var delays: DelayCourse?
    var queue = QueueDraft()
    /// Filters in the order in which a packet passes them.
    var filters: [FilterPlan] = []
    /// Stages that are keys of their own: the list must not contain them too.
    var namedStages: [String] = []
    /// A policer before all filters.
    var policer: TokenBucket.Options?
    /// Losses behind the queue.
    var lossesOnWay: [FilterPlan] = []
    var slots: Slots.Options?
    /// Streams of other senders in this direction.
    var streams: [TrafficSource.Plan] = []
    var competing: [CompetitionDraft] = []

    enum Side { case up, down }

    var longestDelay: TimeSpan? { delays?.longest ?? delay }

    /// The IP packet that fills an Ethernet frame, the unit of a queue limit in packets.
    static let packetSize = ByteCount(1_500)

    /// The smallest default limit of a queue.
    private static let leastPackets: UInt64 = 16

    func flows(_ direction: CrossTraffic.Direction, interface: Int) -> [FlowGroup] {
        competing.map { $0.plan(direction, interface: interface) }
    }

    /// Makes the plan of this direction. The default queue holds what the link carries in a round
    /// trip (networks §1: one bandwidth-delay product, at least 16 packets).
    func plan(name: String, roundTrip: TimeSpan) -> LinkPlan? {
        guard let rate, let delay else { return nil }
        var shaped = rate
        if case .shaped(let shaper) = schedule { shaped = shaper.bucket.rate }
        var plan = LinkPlan(
            name: name, filters: filters, delay: delay, delays: delays,
            bottleneck: bottleneck(
                queue.plan(open: Self.queue(of: shaped, over: roundTrip)), rate: rate))
        if let policer { plan.filters.insert(.policer(policer), at: 0) }
        plan.lossesOnWay = lossesOnWay
        plan.slots = slots
        return plan
    }

    private func bottleneck(_ queue: BottleneckPlan.Queue, rate: Bitrate) -> BottleneckPlan {
        guard let schedule else { return BottleneckPlan(rate: rate, queue: queue) }
        return BottleneckPlan(schedule: schedule, queue: queue)
    }

    private static func queue(of rate: Bitrate, over roundTrip: TimeSpan) -> ByteCount {
        let scaledBits = rate.bitsPerSecond.multipliedFullWidth(by: roundTrip.nanoseconds.magnitude)
        let bytesPerScaledBit: UInt64 = 8_000_000_000
        let product = bytesPerScaledBit.dividingFullWidth((scaledBits.high, scaledBits.low))
        return ByteCount(max(product.quotient, leastPackets * packetSize.bytes))
    }
}

/// The key `links`: both directions between the device and the server.
enum LinkKeys {
    static let example = """
        { uplink: { rate: 10 Mbit/s, delay: 20 ms }, downlink: { rate: 50 Mbit/s, delay: 20 ms } }
        """
    static let directionExample = "{ rate: 10 Mbit/s, delay: 20 ms, loss: 2 % }"

    static func read(_ node: YAMLNode, links: inout LinksDraft) {
        let hasInterfaces = InterfaceKeys.named(in: node)
        let isGiven = hasInterfaces || ProfileKeys.isNamed(in: node) || links.network != nil
        table.read(node, into: &links, given: isGiven ? ["uplink", "downlink"] : [])
        guard hasInterfaces else { return }
        if let network = links.network {
            node.refuse(
                "the phone has the network “\(network)”, and interfaces",
                expected: "“profile: \(network)” under “wifi” or “cellular” instead of “network”")
        } else if !links.line.isEmpty {
            node.refuse(
                "the links mix keys with and without interfaces",
                expected: "“profile”, “uplink”, “downlink” and “nat” under “wifi” or “cellular”")
        }
    }

    /// Reads the key `network` of a phone, which supplies the defaults of its links.
    static func readNetwork(_ node: YAMLNode, links: inout LinksDraft) {
        links.network = links.line.readProfile(node)?.name ?? ""
    }

    static var shape: Shape { table.shape }

    private static let table = KeyTable<LinksDraft>(
        name: "“links”",
        keys: [
            .optional("profile", ProfileKeys.shape, "both directions by name") { node, links in
                if let network = links.network, !network.isEmpty {
                    return node.refuse(
                        "the phone has the network “\(network)” already",
                        expected: "either “network” of the phone or “profile” of its links")
                }
                links.line.readProfile(node)
            }
        ] + KeyTable.keys(InterfaceKeys.ways, of: \LinksDraft.line) + InterfaceKeys.keys)

    static func direction(
        _ side: LinkDraft.Side, _ node: YAMLNode, over profile: LinkDraft?
    ) -> LinkDraft {
        var link = profile ?? LinkDraft()
        link.side = side
        let isGiven = profile != nil || ProfileKeys.isNamed(in: node)
        directions.read(node, into: &link, given: isGiven ? ProfileKeys.given : [])
        return link
    }

    static let directions = KeyTable<LinkDraft>(
        name: "a direction of the link",
        keys: [
            .optional("profile", ProfileKeys.shape, "one direction of a known link") { node, link in
                guard let profile = ProfileKeys.read(node) else { return }
                let side = link.side
                link = LinkDraft(side == .up ? profile.up : profile.down)
                link.side = side
            },
            .unlessGiven(
                "rate", RateKeys.shape,
                "how much it carries: a constant rate, in steps such as `{ 0 s: 10 Mbit/s, 5 s: "
                    + "none, 8 s: 2 Mbit/s }`, or by a mahimahi trace, `{ trace: FILE }`",
                example: "10 Mbit/s", read: RateKeys.readRate),
            .optional(
                "outages", .list(of: RateKeys.windowShape),
                "when nothing passes and the queue fills", example: "[5 s to 8 s, 20 s to 21 s]",
                read: RateKeys.readOutages),
            .optional(
                "duty", RateKeys.dutyShape, "a radio that sleeps periodically",
                example: "{ on: 80 ms, off: 20 ms }",
                read: RateKeys.readDuty),
            .unlessGiven(
                "delay", DelayKeys.courseShape,
                "how long the way takes, one way: a constant time, in steps such as `{ 0 s: 20 "
                    + "ms, 15 s: 60 ms }`, or by a trace, `{ trace: FILE }`; packets keep their "
                    + "order",
                example: "20 ms", read: DelayKeys.readDelay),
            .optional(
                "queue", DisciplineKeys.shape,
                "how much can wait, such as `50 kB`, and which packets are dropped; the default "
                    + "is drop-tail with room for one round trip of the link",
                example: "{ discipline: codel, limit: 300 packets }", \.queue,
                read: DisciplineKeys.read),
        ] + BucketKeys.keys + StageKeys.alone + [StageKeys.list] + WayKeys.keys
            + TrafficKeys.keys)
}
