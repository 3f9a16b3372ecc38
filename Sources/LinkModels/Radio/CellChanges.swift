package import Quantities

/// Hand-overs of a moving phone from cell to cell, each followed by a gap in which nothing is sent.
/// The last part of each period is the gap.
package struct CellChanges: Hashable, Sendable {
    package let every: TimeSpan
    package let gap: TimeSpan
    /// Whether the old cell forwards what waits in it to the new one; otherwise that is lost.
    package let forwards: Bool

    /// Makes changes; `nil` unless something can be sent between two of them.
    package init?(every: TimeSpan, gap: TimeSpan, forwards: Bool) {
        guard gap >= .zero, every > gap else { return nil }
        self.every = every
        self.gap = gap
        self.forwards = forwards
    }

    /// Returns the rate over time of a link with this rate.
    package func schedule(of rate: Bitrate) -> RateSteps? {
        RateSteps(
            [.init(from: .zero, rate: rate), .init(from: every - gap, rate: nil)], period: every)
    }

    /// The number of changes before a moment.
    func count(before time: UInt64) -> UInt64 { time == 0 ? 0 : count(until: time - 1) }

    /// The number of changes up to a moment.
    func count(until time: UInt64) -> UInt64 {
        (time + gap.nanoseconds.magnitude) / every.nanoseconds.magnitude
    }
}
