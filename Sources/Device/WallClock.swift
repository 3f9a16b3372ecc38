package import Quantities

/// A phone's wall clock. Unlike the run's clock, it may jump.
package struct WallClock: Hashable, Sendable {
    /// The clock's error.
    private var error = TimeSpan.zero

    package enum Cause: String, Hashable, Sendable {
        case user = "the user set it"
        case network = "it was corrected over the network"
        case timeZone = "the time zone is another one"
    }

    /// The start of every run: noon on 1 January 2026, UTC.
    private static let beginning: UInt64 = 1_767_268_800_000_000_000

    mutating func jump(by span: TimeSpan) { error = error + span }

    /// Returns nanoseconds since 1970, at least 0.
    package func nanoseconds(at now: Instant) -> UInt64 {
        let truth = Int64(Self.beginning + now.nanoseconds)
        return UInt64(max(0, truth + error.nanoseconds))
    }
}
