package import Quantities
package import RunLog

/// What a link could carry in a span of a run, computed from the link's terms alone.
package struct LinkOffer: Sendable {
    private let rate: Bitrate
    private let capacity: LinkCapacity?
    private let chances: LinkChances?

    /// Makes the offer of these terms, which may name one of the run's traces; `nil` if the trace
    /// is missing.
    package init?(_ terms: LinkTerms, traces: [IncludedTrace]) {
        rate = terms.rate
        capacity = LinkCapacity(terms)
        chances = LinkChances(terms, traces: traces)
        if terms.trace != nil, chances == nil { return nil }
    }

    /// Returns the bits that the link could carry between two moments, both included.
    package func bits(from begin: Instant, to end: Instant) -> Double {
        let (from, to) = (begin.nanoseconds, end.nanoseconds)
        if let chances {
            return Double(chances.bytes(upTo: to) - chances.bytes(before: from)) * 8
        }
        if let capacity { return capacity.bits(from: from, to: to) }
        return Double(rate.bitsPerSecond) * (Double(to - from) / 1e9)
    }

    /// Returns the least time that these bytes take from a moment on.
    package func time(for size: ByteCount, from begin: Instant) -> TimeSpan {
        let from = begin.nanoseconds
        let end =
            chances?.earliestEnd(of: size.bytes, from: from)
            ?? capacity?.earliestEnd(of: size.bytes, from: from)
        return end.map { TimeSpan(nanoseconds: Int64($0 - from)) } ?? rate.timeToSend(size)
    }
}
