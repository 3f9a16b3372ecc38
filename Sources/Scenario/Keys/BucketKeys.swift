import LinkModels
import Quantities

/// The keys of a link's direction that limit its rate by a token bucket.
enum BucketKeys {
    typealias Key = KeyTable<LinkDraft>.Key

    static let keys: [Key] = [
        .optional(
            "shaper", shapers.shape,
            "packets wait for the tokens of a bucket, as with `tbf` in Linux, whose peak rate is "
                + "the link’s rate", example: "{ rate: 5 Mbit/s, burst: 50 kB, latency: 50 ms }",
            read: readShaper),
        .optional(
            "policer", policers.shape,
            "packets for which a bucket has no tokens are dropped at the entry",
            example: "{ rate: 5 Mbit/s, burst: 50 kB }"
        ) { node, link in
            var draft = Draft()
            policers.read(node, into: &draft)
            link.policer = draft.bucket
        },
    ]

    private struct Draft {
        var rate: Bitrate?
        var burst: ByteCount?
        var limit: ByteCount?
        var latency: TimeSpan?

        var bucket: TokenBucket.Options? {
            both(rate, burst).map { .init(rate: $0, burst: $1) }
        }
    }

    private static let policers = KeyTable<Draft>(name: "“policer”", keys: bucket)

    private static let shapers = KeyTable<Draft>(name: "“shaper”", keys: bucket + waits)

    private static let waits: [KeyTable<Draft>.Key] = [
        .optional(
            "limit", .size, "how much can wait for tokens, as `queue` says it too", \.limit
        ) { $0.size("a size such as 100 kB") },
        .optional(
            "latency", .time,
            "how long a packet can wait, instead of `limit`: rate × latency + burst", \.latency,
            read: DelayKeys.delay),
    ]

    private static let bucket: [KeyTable<Draft>.Key] = [
        .required(
            "rate", .rate, "how fast the bucket fills", example: "5 Mbit/s", \.rate
        ) { $0.rate() },
        .required("burst", .size, "how much it holds", example: "50 kB", \.burst) { node in
            let expectation =
                "from \(LinkDraft.packetSize), the largest packet, to \(largestBurst)"
            return node.text(expected: expectation)?.size(expected: expectation) {
                $0 < LinkDraft.packetSize || $0 > largestBurst ? "a burst of \($0)" : nil
            }
        },
    ]

    private static let largestBurst = ByteCount(1_000_000_000)

    private static func readShaper(_ node: YAMLNode, link: inout LinkDraft) {
        var draft = Draft()
        shapers.read(node, into: &draft)
        guard let bucket = draft.bucket, let line = link.rate else { return }
        guard link.schedule == nil, bucket.rate < line else {
            return node.refuse(
                "a shaper is not possible here",
                expected: "a constant rate of the link, above \(bucket.rate)")
        }
        link.schedule = .shaped(Shaper(line: line, bucket: bucket))
        let limits = [
            link.queue.limit, draft.limit, draft.latency.map { Shaper.limit(bucket, latency: $0) },
        ].compactMap(\.self)
        guard limits.count < 2 else {
            return node.refuse(
                "the queue of the shaper has \(limits.count) limits",
                expected: "one of “limit” or “latency” of the shaper, or the limit of “queue”")
        }
        link.queue.limit = limits.first
    }
}
