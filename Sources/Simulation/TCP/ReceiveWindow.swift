/// The window offered to the peer: unread bytes shrink it, and its right edge never moves back.
///
/// It starts small and grows like Linux's (`tcp_rcvbuf_grow`): with what the host reads in a round
/// trip, and with what lies beyond a hole, so that the hole does not stop the sender.
struct ReceiveWindow {
    /// The first number that the peer may not send yet.
    private var edge: UInt64 = 0
    /// Size of the buffer; unread bytes in it are not offered.
    private(set) var size: UInt64
    private let largest: UInt64
    /// The window scale.
    private let shift: UInt8
    /// Smoothed round trip, measured by the stamps that the peer echoes.
    private var roundTrip: UInt64 = 0
    private var latestEcho: UInt64 = 0
    /// Start of the current round trip, bytes read since then, and the most that was read in an
    /// earlier round trip.
    private var began: UInt64 = 0
    private var read: UInt64 = 0
    private var readBefore = 10 * segment

    private static let segment = Packet.usualSegment
    /// Room for content in the 128 KiB of Linux's initial `tcp_rmem`, where 1448 bytes take 2304.
    private static let smallest: UInt64 = 80 * 1024
    /// Capacity of one of Linux's socket buffers. A larger read spans several buffers; the first
    /// holds only the segment that filled a hole.
    private static let largestPiece = 17 * segment
    /// The largest scale that RFC 7323 §2.3 allows.
    private static let largestShift = 14
    /// A SYN's window has no scale.
    private static let largestUnscaled: UInt64 = 65_535

    init(largest: UInt64) {
        shift = Self.shift(for: largest)
        self.largest = min(largest, UInt64(UInt16.max) << UInt64(shift))
        size = min(Self.smallest, largest)
    }

    /// Returns the window scale in a SYN (RFC 7323 §2): Linux's choice for a `tcp_rmem` with this
    /// maximum and its overhead, or for 4 MiB if that is more.
    static func shift(for largest: UInt64) -> UInt8 {
        let wanted = UInt64.bitWidth - 1 - (largest * 8 / 5).leadingZeroBitCount - 15
        return UInt8(min(max(7, wanted), largestShift))
    }

    var initial: UInt16 { UInt16(min(size, Self.largestUnscaled)) }

    /// Sets the edge that the SYN has offered.
    mutating func begin(with next: UInt64, at now: UInt64) {
        edge = next + UInt64(initial)
        began = now
    }

    /// Returns the window offered by a packet that leaves now, with `held` bytes unread or beyond a
    /// hole.
    @inline(__always)
    mutating func offer(from next: UInt64, held: UInt64) -> UInt16 {
        let possible = possibleEdge(from: next, held: held)
        // RFC 9293 §3.8.6.2.2: the edge moves by at least a segment or half the buffer, or not at
        // all.
        if possible >= edge &+ min(Self.segment, size / 2) { edge = possible }
        return told(from: next)
    }

    /// Measures a round trip by a stamp that the peer echoes.
    @inline(__always)
    mutating func heard(_ echo: UInt64, at now: UInt64) {
        guard echo != latestEcho else { return }
        latestEcho = echo
        let sample = now &- echo
        roundTrip = roundTrip == 0 ? sample : roundTrip &- roundTrip / 8 &+ sample / 8
    }

    /// Notes that the host has read everything. Returns true if the window is now at least twice
    /// what the peer knows, so that the peer should be told at once.
    @inline(__always)
    mutating func hostRead(_ count: UInt64, next: UInt64, at now: UInt64) -> Bool {
        let isWorthTelling = isWorthTelling(count, next: next)
        if now &- began >= roundTrip, roundTrip > 0 {
            judge(count)
            began = now
        } else {
            read &+= count
        }
        return isWorthTelling
    }

    /// Notes an arrival this far beyond the first hole.
    mutating func reached(_ beyond: UInt64) {
        size = max(size, min(2 * readBefore + beyond, largest))
    }

    @inline(__always)
    private func isWorthTelling(_ count: UInt64, next: UInt64) -> Bool {
        let known = UInt64(told(from: next)) &<< UInt64(shift)
        // The window is usually far larger than one read.
        guard count >= known else { return false }
        let possible = possibleEdge(from: next, held: 0)
        return possible >= edge &+ min(Self.segment, size / 2) && possible &- next >= 2 * known
    }

    /// Ends a round trip with the first buffer of a read. The rest counts for the next round trip.
    @inline(never)
    private mutating func judge(_ count: UInt64) {
        let piece = count > Self.largestPiece ? Self.segment : count
        let rest = count - piece
        if read + piece > rest + readBefore { grow(to: read + piece - rest) }
        read = rest
    }

    /// Allows twice what was read in a round trip, and more while that amount grows.
    private mutating func grow(to read: UInt64) {
        var wanted = 2 * read
        wanted += 2 * (wanted * (read - readBefore) / readBefore)
        size = max(size, min(wanted, largest))
        readBefore = read
    }

    @inline(__always)
    private func possibleEdge(from next: UInt64, held: UInt64) -> UInt64 {
        let units = (size > held ? size &- held : 0) &>> UInt64(shift)
        return next &+ units &<< UInt64(shift)
    }

    @inline(__always)
    private func told(from next: UInt64) -> UInt16 {
        UInt16(truncatingIfNeeded: (edge > next ? edge &- next : 0) &>> UInt64(shift))
    }
}
