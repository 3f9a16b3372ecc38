import Quantities

/// A policer at the entry of a link: packets that exceed a token bucket are dropped (RFC 2697 with
/// no excess burst, where everything that is not green is red).
struct Policer: Sendable {
    private var bucket: TokenBucket

    init(_ options: TokenBucket.Options) { bucket = TokenBucket(options) }

    mutating func accept(_ size: Int, at now: Instant) -> StageVerdict {
        bucket.take(size, at: now.nanoseconds) ? .pass : .drop(.policed)
    }
}
