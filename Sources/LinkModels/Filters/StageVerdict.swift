package import Quantities

/// The decision of a filter stage about a packet.
package enum StageVerdict: Hashable, Sendable {
    case pass
    case drop(DropReason)
    case mark(PacketMarks)
    /// The packet is delayed, and later packets wait behind it.
    case delay(TimeSpan)
    /// The packet is delayed, and later packets may overtake it.
    case holdBack(TimeSpan)
}

/// Why a link dropped a packet.
package enum DropReason: Hashable, Sendable {
    /// A filter stage dropped the packet, before or behind the queue.
    case lost
    /// The packet exceeded a policer's rate.
    case policed
    /// The packet is larger than the path can carry.
    case tooLarge
    /// The queue had no room for the packet.
    case queueFull
    /// The link was down, or went down while the packet was on it.
    case linkDown
}

/// Changes to a packet on its way.
package struct PacketMarks: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The packet is damaged.
    package static let corrupted = PacketMarks(rawValue: 1)
    /// A copy follows the packet into the queue.
    package static let duplicated = PacketMarks(rawValue: 2)
    /// The queue has set CE instead of dropping the packet (RFC 3168 §5).
    package static let congested = PacketMarks(rawValue: 4)
    /// The packet takes its time on the link, and does not arrive.
    package static let lostOnWay = PacketMarks(rawValue: 8)
}
