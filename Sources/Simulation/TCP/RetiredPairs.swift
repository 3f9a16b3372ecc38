/// Places of connections that are over, in order of reuse.
struct RetiredPairs {
    private var pairs: [(number: Int, from: UInt64)] = []
    private var head = 0

    /// Time before a place is reused, like a port in Linux (`tcp_tw_reuse` with timestamps), so
    /// that a capture does not mix two connections.
    private static let rest: UInt64 = 1_000_000_000

    mutating func append(_ number: Int, at now: UInt64) {
        pairs.append((number, now &+ Self.rest))
    }

    /// Returns a place that has rested long enough.
    mutating func next(at now: UInt64) -> Int? {
        guard head < pairs.count, pairs[head].from <= now else { return nil }
        defer {
            head += 1
            // Rarely, to spread the cost of moving the rest.
            if head >= 32, 2 * head >= pairs.count {
                pairs.removeFirst(head)
                head = 0
            }
        }
        return pairs[head].number
    }
}
