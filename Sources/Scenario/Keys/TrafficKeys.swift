import LinkModels
import Quantities
import RunPlan

/// Competing TCP flows while they are read; the direction is known later.
struct CompetitionDraft {
    var flows = 1
    var controller = TCPSettings.Controller.cubic
    var from = TimeSpan.zero
    var length: ByteCount?

    func plan(_ direction: CrossTraffic.Direction, interface: Int) -> FlowGroup {
        FlowGroup(
            direction, count: flows, controller: controller, from: from, length: length,
            interface: interface)
    }
}

/// The keys for other senders in a link's direction: `cross-traffic`, packets regardless of loss,
/// and `competing`, TCP flows.
enum TrafficKeys {
    static let keys: [KeyTable<LinkDraft>.Key] = [
        .optional(
            "cross-traffic", .oneOrSeveral(streams.shape),
            "traffic of others that does not react to loss; several in a list",
            example: "{ rate: 2 Mbit/s }"
        ) { node, link in
            link.streams += node.oneOrSeveral.compactMap(stream)
        },
        .optional(
            "competing", .oneOrSeveral(competitions.shape),
            "traffic of others over TCP; several in a list", example: "{ flows: 2 }"
        ) { node, link in
            for item in node.oneOrSeveral {
                var draft = CompetitionDraft()
                competitions.read(item, into: &draft)
                link.competing.append(draft)
            }
        },
    ]

    // MARK: Streams of packets

    private struct StreamDraft {
        var rate: Bitrate?
        var packetSize: ByteCount?
        var from: TimeSpan?
        var until: TimeSpan?
        var on: TimeSpan?
        var off: TimeSpan?
        var lengths: TrafficSource.Bursts.Lengths?
    }

    private static func stream(_ node: YAMLNode) -> TrafficSource.Plan? {
        var draft = StreamDraft()
        let known = node.mistakes.count
        streams.read(node, into: &draft)
        guard node.mistakes.count == known, let rate = draft.rate else { return nil }
        let bursts = bursts(draft, at: node)
        let from = draft.from ?? .zero
        if let until = draft.until, until <= from {
            node.refuse(
                "traffic that ends at \(until) but begins at \(from)",
                expected: "“until” after “from”")
        }
        return TrafficSource.Plan(
            rate: rate, packetSize: draft.packetSize ?? LinkDraft.packetSize, from: from,
            until: draft.until, bursts: bursts)
    }

    private static func bursts(_ draft: StreamDraft, at node: YAMLNode) -> TrafficSource.Bursts? {
        switch (draft.on, draft.off) {
        case (let on?, let off?):
            return .init(on: on, off: off, lengths: draft.lengths ?? .fixed)
        case (nil, nil) where draft.lengths == nil: return nil
        default:
            return node.refuse(
                "“on” and “off” need each other",
                expected: "“on” and “off” together, such as on: 2 s, off: 3 s")
        }
    }

    private static let streams = KeyTable<StreamDraft>(
        name: "“cross-traffic”",
        keys: [
            .required("rate", .rate, "its rate while it is on", example: "2 Mbit/s", \.rate) {
                $0.rate()
            },
            .optional("packets", .size, "the size of its packets", \.packetSize, read: packetSize),
            .optional("from", .time, "when it begins", \.from) { $0.time() },
            .optional("until", .time, "when it ends", \.until) { $0.time() },
            .optional("on", .time, "how long it is on", \.on, read: phase),
            .optional("off", .time, "how long it then is off", \.off, read: phase),
            .optional(
                "periods", .choice(of: TrafficSource.Bursts.Lengths.self),
                "whether “on” and “off” are exact times or averages", \.lengths
            ) { $0.choice(complaint: "there are no periods") },
        ])

    private static func packetSize(_ node: YAMLNode) -> ByteCount? {
        let sizes = smallestPacket...LinkDraft.packetSize
        let expectation = "a size from \(sizes.lowerBound) to \(sizes.upperBound)"
        return node.text(expected: expectation)?.size(expected: expectation) {
            sizes.contains($0) ? nil : "packets of \($0)"
        }
    }

    /// The headers of IP and UDP.
    private static let smallestPacket = ByteCount(28)

    private static func phase(_ node: YAMLNode) -> TimeSpan? {
        // Shorter than a packet takes on most links; thousands of bursts would be empty.
        node.checked(DelayKeys.delay(node), expected: "at least 1 ms") {
            $0 < .milliseconds(1) ? "\($0) is too short for on or off" : nil
        }
    }

    // MARK: TCP flows

    private static let competitions = KeyTable<CompetitionDraft>(
        name: "“competing”",
        keys: [
            .required("flows", .number, "the number of flows", example: "2") { node, draft in
                let expectation = "a number of flows from 1 to \(mostFlows)"
                let flows = node.count(in: 1...mostFlows, expectation) { "\($0) flows" }
                draft.flows = flows.map { Int($0) } ?? draft.flows
            },
            .choice(
                "controller", "the congestion controller of each flow",
                complaint: TCPKeys.complaint, \.controller),
            .optional("from", .time, "when they begin", \.from) { $0.time() },
            .optional("bytes", .size, "how much each flow sends; by default it never ends") {
                node, draft in
                let expectation = Measure.size.expectation
                draft.length = node.text(expected: expectation)?.size(expected: expectation) {
                    $0 > .zero ? nil : "a flow that sends nothing"
                }
            },
        ])

    private static let mostFlows: UInt64 = 1_000
}
