package import Quantities

/// What a phone takes for the time of day: it may jump, while the run's clock only goes on.
package struct WallClock: Hashable, Sendable {
    /// How far it is from the truth.
    private var error = TimeSpan.zero

    package enum Cause: String, Hashable, Sendable {
        case user = "the user set it"
        case network = "it was corrected over the network"
        case timeZone = "the time zone is another one"
    }

    /// Runs begin at noon of 1 January 2026, UTC.
    private static let beginning: UInt64 = 1_767_268_800_000_000_000

    mutating func jump(by span: TimeSpan) { error = error + span }

    /// Nanoseconds since 1970; a clock does not go back beyond that.
    package func nanoseconds(at now: Instant) -> UInt64 {
        let truth = Int64(Self.beginning + now.nanoseconds)
        return UInt64(max(0, truth + error.nanoseconds))
    }
}
