public import Quantities

/// A packet from sender to receiver, without its content.
///
/// `package` alone would keep the initialiser from being inlined where packets are simulated.
@usableFromInline package struct PacedPacket: Hashable, Sendable {
    @usableFromInline package enum Kind: UInt8, Hashable, Sendable, CaseIterable {
        case data = 1
        /// Empty; it asks for a report at once.
        case probe
        /// Empty; everything that was sent has arrived, and nothing will follow.
        case close
        /// Empty; the sender has given up.
        case abort
    }

    @usableFromInline package var kind: Kind
    @usableFromInline package var number: UInt64
    /// All packet numbers below are settled.
    @usableFromInline package var floor: UInt64
    @usableFromInline package var sentAt: Instant
    /// The time after which the receiver reports at the latest.
    @usableFromInline package var reportEvery: TimeSpan
    /// Size of the IP packet.
    @usableFromInline package var size: Int

    @inlinable package init(
        _ kind: Kind, number: UInt64, floor: UInt64, sentAt: Instant, reportEvery: TimeSpan,
        size: Int
    ) {
        self.kind = kind
        self.number = number
        self.floor = floor
        self.sentAt = sentAt
        self.reportEvery = reportEvery
        self.size = size
    }
}

/// A piece of one file in a packet.
package struct PacedChunk: Hashable, Sendable {
    package var file: UInt32
    package var length: UInt32
    package var offset: UInt64

    package init(file: UInt32, offset: UInt64, length: UInt32) {
        self.file = file
        self.offset = offset
        self.length = length
    }
}
