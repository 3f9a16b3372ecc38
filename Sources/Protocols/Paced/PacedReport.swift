package import Quantities

/// What a receiver tells its sender at least every half round trip.
package struct PacedReport: Hashable, Sendable {
    /// Reports count from 1.
    package var number: UInt64
    /// All packet numbers below are settled.
    package var contiguous: UInt64
    /// Number after the highest that has arrived.
    package var end: UInt64
    /// The packet numbers of which `missing` tells. If too many are missing for one report, the
    /// next goes on where this one ends. What is missing at the very end may have been overtaken.
    package var told: Range<UInt64>
    /// The numbers in `told` that have not arrived, in ascending order.
    package var missing: [Range<UInt64>]
    /// When the packet before `end` was sent, by the sender's clock, and how long ago it came.
    package var echo: Instant
    package var held: TimeSpan
    /// The shortest time on the way since the last report, by two clocks that differ by an unknown
    /// constant; `nil` if no packet has come since.
    package var shortestWay: TimeSpan?
    /// Bytes of IP packets that came after the first, and the time from the first to the last.
    package var received: ByteCount
    package var span: TimeSpan
    /// Packets that have come, and how many of them were not needed.
    package var packets: UInt64
    package var unneeded: UInt64
    package var intake: PacedIntake
    /// Whether the receiver has ended the session, and with all of its content.
    package var ending: Ending

    package enum Ending: UInt8, Hashable, Sendable, CaseIterable {
        case none
        case complete
        case aborted
    }

    package init(
        number: UInt64, contiguous: UInt64, end: UInt64, told: Range<UInt64>,
        missing: [Range<UInt64>], echo: Instant, held: TimeSpan, shortestWay: TimeSpan?,
        received: ByteCount, span: TimeSpan,
        packets: UInt64, unneeded: UInt64, intake: PacedIntake = .boundless, ending: Ending = .none
    ) {
        self.number = number
        self.contiguous = contiguous
        self.end = end
        self.missing = missing
        self.told = told
        self.echo = echo
        self.held = held
        self.shortestWay = shortestWay
        self.received = received
        self.span = span
        self.packets = packets
        self.unneeded = unneeded
        self.intake = intake
        self.ending = ending
    }
}

/// How much content a receiver has taken in, and how much more it takes.
package struct PacedIntake: Hashable, Sendable {
    /// The length of what has arrived without a gap from the beginning of file 0 on.
    package var inOrder: UInt64
    /// The bytes beyond it for which there is room; `nil` if there is no limit.
    package var room: UInt64?

    package init(inOrder: UInt64, room: UInt64?) {
        self.inOrder = inOrder
        self.room = room
    }

    /// The intake of a receiver that keeps nothing.
    package static let boundless = PacedIntake(inOrder: 0, room: nil)

    /// The end of what the receiver takes for now.
    package var limit: UInt64 { room.map { inOrder + $0 } ?? .max }
}

extension PacedReport {
    /// Whether what it tells of numbers fits together.
    var isConsistent: Bool {
        guard contiguous <= told.lowerBound, told.upperBound <= end else { return false }
        var number = told.lowerBound
        for range in missing {
            guard range.lowerBound >= number, range.upperBound <= told.upperBound
            else { return false }
            number = range.upperBound
        }
        return true
    }

    /// Whether nothing that only grows has become less since an earlier report.
    func isPossible(after earlier: PacedReport) -> Bool {
        received >= earlier.received && span >= earlier.span && packets >= earlier.packets
            && end >= earlier.end && intake.inOrder >= earlier.intake.inOrder
    }
}
