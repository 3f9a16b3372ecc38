import LinkModels
import Quantities
import RunPlan

/// Competing TCP flows while they are read; the direction is known later.
struct CompetitionDraft {
    var flows = 1
    var controller = TCPSettings.Controller.cubic
    var from = TimeSpan.zero
    var length: ByteCount?

    func plan(_ direction: CrossTraffic.Direction, interface: Int) -> CrossTraffic.Competition {
        CrossTraffic.Competition(
            direction, flows: flows, controller: controller, from: from, length: length,
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
        ) { node, link, mistakes in
            for item in node.oneOrSeveral {
                guard let stream = stream(item, &mistakes) else { continue }
                link.streams.append(stream)
            }
        },
        .optional(
            "competing", .oneOrSeveral(competitions.shape),
            "traffic of others over TCP; several in a list", example: "{ flows: 2 }"
        ) {
            node, link, mistakes in
            for item in node.oneOrSeveral {
                var draft = CompetitionDraft()
                competitions.read(item, into: &draft, mistakes: &mistakes)
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

    private static func stream(
        _ node: YAMLNode, _ mistakes: inout Mistakes
    ) -> TrafficSource.Plan? {
        var draft = StreamDraft()
        let known = mistakes.count
        streams.read(node, into: &draft, mistakes: &mistakes)
        guard mistakes.count == known, let rate = draft.rate else { return nil }
        let bursts = bursts(draft, at: node.place, &mistakes)
        let from = draft.from ?? .zero
        if let until = draft.until, until <= from {
            mistakes.add(
                "traffic that ends at \(until) but begins at \(from)", at: node.place,
                expected: "“until” after “from”")
        }
        return TrafficSource.Plan(
            rate: rate, packetSize: draft.packetSize ?? LinkDraft.packetSize, from: from,
            until: draft.until, bursts: bursts)
    }

    private static func bursts(
        _ draft: StreamDraft, at place: Place, _ mistakes: inout Mistakes
    ) -> TrafficSource.Bursts? {
        switch (draft.on, draft.off) {
        case (let on?, let off?):
            return .init(on: on, off: off, lengths: draft.lengths ?? .fixed)
        case (nil, nil) where draft.lengths == nil: return nil
        default:
            mistakes.add(
                "“on” and “off” need each other", at: place,
                expected: "“on” and “off” together, such as on: 2 s, off: 3 s")
            return nil
        }
    }

    private static let streams = KeyTable<StreamDraft>(
        name: "“cross-traffic”",
        keys: [
            .required("rate", .rate, "its rate while it is on", example: "2 Mbit/s") {
                node, draft, mistakes in
                let words = mistakes.text(of: node, expected: Measure.rate.expectation)
                draft.rate = words.flatMap { mistakes.rate($0) }
            },
            .optional("packets", .size, "the size of its packets") { node, draft, mistakes in
                draft.packetSize = packetSize(node, &mistakes)
            },
            .optional("from", .time, "when it begins") { node, draft, mistakes in
                draft.from = moment(node, &mistakes)
            },
            .optional("until", .time, "when it ends") { node, draft, mistakes in
                draft.until = moment(node, &mistakes)
            },
            .optional("on", .time, "how long it is on") { node, draft, mistakes in
                draft.on = phase(node, &mistakes)
            },
            .optional("off", .time, "how long it then is off") { node, draft, mistakes in
                draft.off = phase(node, &mistakes)
            },
            .optional(
                "periods", .choice(of: TrafficSource.Bursts.Lengths.self),
                "whether “on” and “off” are exact times or averages"
            ) { node, draft, mistakes in
                draft.lengths = mistakes.choice(node, complaint: "there are no periods")
            },
        ])

    private static func packetSize(_ node: YAMLNode, _ mistakes: inout Mistakes) -> ByteCount? {
        let expectation = "a size from \(smallestPacket) to \(LinkDraft.packetSize)"
        guard let words = mistakes.text(of: node, expected: expectation),
            let size = mistakes.size(words)
        else { return nil }
        guard (smallestPacket...LinkDraft.packetSize).contains(size) else {
            mistakes.add("packets of \(size)", at: words.place, expected: expectation)
            return nil
        }
        return size
    }

    /// The headers of IP and UDP.
    private static let smallestPacket = ByteCount(28)

    private static func moment(_ node: YAMLNode, _ mistakes: inout Mistakes) -> TimeSpan? {
        mistakes.text(of: node, expected: Measure.time.expectation).flatMap { mistakes.time($0) }
    }

    private static func phase(_ node: YAMLNode, _ mistakes: inout Mistakes) -> TimeSpan? {
        guard let span = DelayKeys.delay(node, mistakes: &mistakes) else { return nil }
        // Shorter than a packet takes on most links; thousands of bursts would be empty.
        guard span >= .milliseconds(1) else {
            mistakes.add(
                "\(span) is too short for on or off", at: node.place, expected: "at least 1 ms")
            return nil
        }
        return span
    }

    // MARK: TCP flows

    private static let competitions = KeyTable<CompetitionDraft>(
        name: "“competing”",
        keys: [
            .required("flows", .number, "the number of flows", example: "2") {
                node, draft, mistakes in
                let expectation = "a number of flows from 1 to \(mostFlows)"
                guard let words = mistakes.text(of: node, expected: expectation),
                    let count = mistakes.count(words, expectation)
                else { return }
                guard (1...mostFlows).contains(count) else {
                    return mistakes.add("\(count) flows", at: words.place, expected: expectation)
                }
                draft.flows = Int(count)
            },
            .optional(
                "controller", TCPKeys.controllerShape, "the congestion controller of each flow"
            ) {
                node, draft, mistakes in
                let controller = TCPKeys.controller(node, mistakes: &mistakes)
                draft.controller = controller ?? draft.controller
            },
            .optional("from", .time, "when they begin") { node, draft, mistakes in
                draft.from = moment(node, &mistakes) ?? .zero
            },
            .optional("bytes", .size, "how much each flow sends; by default it never ends") {
                node, draft, mistakes in
                let expectation = Measure.size.expectation
                guard let words = mistakes.text(of: node, expected: expectation),
                    let size = mistakes.size(words)
                else { return }
                guard size > .zero else {
                    return mistakes.add(
                        "a flow that sends nothing", at: words.place, expected: expectation)
                }
                draft.length = size
            },
        ])

    private static let mostFlows: UInt64 = 1_000
}
