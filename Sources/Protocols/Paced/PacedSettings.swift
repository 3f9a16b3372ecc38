package import Quantities

/// How a sender of the paced transport chooses its rate.
package enum PacedPolicy: String, Hashable, Sendable, CaseIterable, Codable {
    /// Sends at the target rate, whatever happens.
    case fixed
    /// Takes about twice the share of a fair sender.
    case high
    /// Shares equally with its like.
    case fair
    /// Takes only what others leave.
    case low
}

/// Rates that an application asks of the paced transport. They may change in mid-transfer.
///
/// Rates count the bytes of whole IP packets.
package struct PacedSettings: Hashable, Sendable {
    package var policy: PacedPolicy
    /// The highest rate.
    package var target: Bitrate
    /// The rate below which the sender never goes, even if others need the line.
    package var minimum: Bitrate

    /// More than any line of today.
    package static let highestTarget = Bitrate(bitsPerSecond: 100_000_000_000)
    package static let lowestMinimum = Bitrate(bitsPerSecond: 16_000)
    /// The rates that somebody may ask for.
    package static let rates = 1...highestTarget.bitsPerSecond

    package init(
        policy: PacedPolicy = .fair, target: Bitrate = highestTarget,
        minimum: Bitrate = lowestMinimum
    ) {
        self.policy = policy
        self.target = target
        self.minimum = min(minimum, target)
    }
}
