/// How much a receiver lets its peer send: what the host has not read makes it smaller, and its
/// right edge never moves back.
///
/// It begins small, and grows in the way of Linux (`tcp_rcvbuf_grow`) with what the host reads in a
/// round trip, and with what lies beyond a hole, so that the hole does not stop the sender.
struct ReceiveWindow {
    /// The first number that the peer may not send yet.
    private var edge: UInt64 = 0
    /// The buffer; what lies in it unread is not offered.
    private(set) var size: UInt64
    private let largest: UInt64
    /// The window travels in units of so many bytes, as a power of two.
    private let shift: UInt8
    /// The round trip as a receiver sees it, by the stamps that come back.
    private var roundTrip: UInt64 = 0
    private var latestEcho: UInt64 = 0
    /// What the host has read since then, and what it read in the best round trip before.
    private var began: UInt64 = 0
    private var read: UInt64 = 0
    private var readBefore = 10 * segment

    private static let segment = UInt64(Packet.maximumPayload)
    /// What is left for content of the 128 KiB that Linux's `tcp_rmem` begins with: a segment of
    /// 1448 bytes takes 2304 there.
    private static let smallest: UInt64 = 80 * 1024
    /// So much stands in one of Linux's buffers; what fills a hole in front of more than that
    /// stands alone, and is read first.
    private static let largestPiece = 17 * segment
    /// A SYN's window has no scale.
    private static let largestUnscaled: UInt64 = 65_535

    init(largest: UInt64) {
        self.largest = largest
        shift = Self.shift(for: largest)
        size = min(Self.smallest, largest)
    }

    /// What a SYN says of the units (RFC 7323 §2): Linux's choice for a `tcp_rmem` that ends with
    /// such a window, and what of its bookkeeping belongs to it; at least for 4 MiB.
    static func shift(for largest: UInt64) -> UInt8 {
        UInt8(max(7, UInt64.bitWidth - 1 - (largest * 8 / 5).leadingZeroBitCount - 15))
    }

    /// What a SYN offers.
    var initial: UInt16 { UInt16(min(size, Self.largestUnscaled)) }

    /// The peer's first number is known, and it has heard of the initial window.
    mutating func begin(with next: UInt64, at now: UInt64) {
        edge = next + UInt64(initial)
        began = now
    }

    /// What a packet offers that leaves now; `held` bytes lie here, unread or beyond a hole.
    @inline(__always)
    mutating func offer(from next: UInt64, held: UInt64) -> UInt16 {
        let possible = possibleEdge(from: next, held: held)
        // RFC 9293 §3.8.6.2.2: the edge moves by a segment at least, or not at all.
        if possible >= edge &+ min(Self.segment, size / 2) { edge = possible }
        return told(from: next)
    }

    /// A packet with content has come, and answers one of ours with that stamp.
    @inline(__always)
    mutating func heard(_ echo: UInt64, at now: UInt64) {
        guard echo != latestEcho else { return }
        latestEcho = echo
        let sample = now &- echo
        roundTrip = roundTrip == 0 ? sample : roundTrip &- roundTrip / 8 &+ sample / 8
    }

    /// The host has read so much, and nothing is unread now; whether that has made the window at
    /// least twice what the peer knows, so that it should hear of it at once.
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

    /// Something has come that reaches so far beyond the first hole.
    mutating func reached(_ beyond: UInt64) {
        size = max(size, min(2 * readBefore + beyond, largest))
    }

    @inline(__always)
    private func isWorthTelling(_ count: UInt64, next: UInt64) -> Bool {
        let known = UInt64(told(from: next)) &<< UInt64(shift)
        // Nearly always the window is far larger than what is read at once.
        guard count >= known else { return false }
        let possible = possibleEdge(from: next, held: 0)
        return possible >= edge &+ min(Self.segment, size / 2) && possible &- next >= 2 * known
    }

    /// A round trip is over with the first piece of what is being read; the rest of it is as good
    /// as not read yet, and counts for the next.
    @inline(never)
    private mutating func judge(_ count: UInt64) {
        let piece = count > Self.largestPiece ? Self.segment : count
        let rest = count - piece
        if read + piece > rest + readBefore { grow(to: read + piece - rest) }
        read = rest
    }

    /// Twice what was read in a round trip, and more while that grows.
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
