import LinkModels
import Quantities

/// The keys of a link's direction for what happens behind the queue, on the way.
enum WayKeys {
    static let keys: [KeyTable<LinkDraft>.Key] = [
        .optional(
            "loss-on-way", FilterKeys.lossShape,
            "packets that are lost behind the queue, as on the air: they take their time on the "
                + "link; the same models as for “loss”", example: "2 %"
        ) { node, link in
            link.lossesOnWay = FilterKeys.losses(node)
        },
        .optional(
            "slots", slots.shape,
            "packets are gathered and arrive in bursts, as with netem’s `slot`",
            example: "{ min: 5 ms, max: 10 ms, packets: 32 }", read: readSlots),
    ]

    private struct Draft {
        var shortest: TimeSpan?
        var longest: TimeSpan?
        var packets: UInt64?
        var bytes: ByteCount?
    }

    private static let slots = KeyTable<Draft>(
        name: "“slots”",
        keys: [
            .required(
                "min", .time, "the shortest time to the next slot", example: "5 ms", \.shortest,
                read: DelayKeys.delay),
            .optional(
                "max", .time, "the longest time to the next slot; the default is “min”",
                \.longest, read: DelayKeys.delay),
            .optional("packets", .number, "how many packets a slot carries", \.packets) {
                $0.count(in: 1..., "a number of packets such as 32") { _ in "slots of no packet" }
            },
            .optional(
                "bytes", .size,
                "how much a slot carries; the packet that reaches it is the last", \.bytes
            ) {
                let expectation = "a size such as 64 kB"
                return $0.text(expected: expectation)?.size(expected: expectation) {
                    $0 == .zero ? "slots of no byte" : nil
                }
            },
        ])

    private static func readSlots(_ node: YAMLNode, link: inout LinkDraft) {
        var draft = Draft()
        slots.read(node, into: &draft)
        guard let shortest = draft.shortest else { return }
        let longest = draft.longest ?? shortest
        guard shortest > .zero, shortest <= longest else {
            return node.refuse(
                "slots from \(shortest) to \(longest)",
                expected: "“min” above 0 s, and “max” not below it")
        }
        guard !link.filters.contains(where: { $0.kind == "reorder" }) else {
            return node.refuse(
                "slots keep the order of packets, and “reorder” does not",
                expected: "one of them")
        }
        link.slots = Slots.Options(
            shortest: shortest, longest: longest, packets: draft.packets, bytes: draft.bytes)
    }
}
