package import Quantities

/// What a filter stage says about a packet.
package enum StageVerdict: Hashable, Sendable {
    case pass
    case drop(DropReason)
    case mark(PacketMarks)
    /// It takes so much longer on the way, and those after it wait behind it.
    case delay(TimeSpan)
    /// It takes so much longer on the way, and those after it overtake it.
    case holdBack(TimeSpan)
}

/// Why a link gave a packet up.
package enum DropReason: Hashable, Sendable {
    /// A filter stage lost it before it reached the queue.
    case lost
    /// It is larger than the path can carry.
    case tooLarge
    /// The queue had no room for it.
    case queueFull
    /// The link was down, or went down while it was on it.
    case linkDown
}

/// What happened to a packet that arrives.
package struct PacketMarks: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Its bytes are not those that were sent.
    package static let corrupted = PacketMarks(rawValue: 1)
    /// A copy of it enters the queue after it.
    package static let duplicated = PacketMarks(rawValue: 2)
    /// Its queue would have dropped it, and has set CE instead (RFC 3168 §5).
    package static let congested = PacketMarks(rawValue: 4)
}
