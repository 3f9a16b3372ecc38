/// What a filter stage says about a packet.
package enum StageVerdict: Hashable, Sendable {
    case pass
    case drop(DropReason)
}

/// Why a link gave a packet up.
package enum DropReason: Hashable, Sendable {
    /// A filter stage lost it before it reached the queue.
    case lost
    /// The queue had no room for it.
    case queueFull
}
