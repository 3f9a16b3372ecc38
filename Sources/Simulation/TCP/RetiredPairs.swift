/// The places of connections that are over, first over, first taken again.
struct RetiredPairs {
    private var pairs: [(number: Int, from: UInt64)] = []
    private var head = 0

    /// So long nobody takes the place, as Linux would not take the port (`tcp_tw_reuse`, where
    /// timestamps tell old from new), so that a capture file does not mix two connections.
    private static let rest: UInt64 = 1_000_000_000

    mutating func append(_ number: Int, at now: UInt64) {
        pairs.append((number, now &+ Self.rest))
    }

    /// A place that has rested long enough.
    mutating func next(at now: UInt64) -> Int? {
        guard head < pairs.count, pairs[head].from <= now else { return nil }
        defer {
            head += 1
            // Rarely, so that the cost of moving the rest is shared by many.
            if head >= 32, 2 * head >= pairs.count {
                pairs.removeFirst(head)
                head = 0
            }
        }
        return pairs[head].number
    }
}
