/// How much a receiver lets its peer send: what the host has not read makes it smaller, and its
/// right edge never moves back.
///
/// If a largest size is given, it begins small, and grows with what the host reads in the way of
/// Linux (`tcp_rcv_space_adjust`). Otherwise the buffer is so large from the beginning that only a
/// host which leaves megabytes unread has ever anything to do with it.
struct ReceiveWindow {
    /// The first number that the peer may not send yet.
    private var edge: UInt64 = 0
    /// The buffer; what lies in it unread is not offered.
    private(set) var size: UInt64
    private let largest: UInt64
    /// However much room there is, no more is offered.
    private let limit: UInt64
    /// The round trip as a receiver sees it, by the stamps that come back.
    private var roundTrip: UInt64 = 0
    private var latestEcho: UInt64 = 0
    /// What the host has read since then, and what it read in the best round trip before.
    private var began: UInt64 = 0
    private var read: UInt64 = 0
    private var readBefore = 10 * segment

    private static let segment = UInt64(Packet.maximumPayload)
    /// Half of Linux's `tcp_rmem`, of which the other half is for bookkeeping: what it begins with,
    /// and what it ends with.
    private static let smallest: UInt64 = 64 * 1024
    private static let usual: UInt64 = 8 << 20
    private static let usualLimit: UInt64 = 4 << 20
    /// The window travels in units of 128 bytes (RFC 7323 §2): Linux's choice for up to 8 MB.
    static let shift = 7
    private static let unit: UInt64 = 1 << shift
    /// A SYN's window has no scale.
    private static let largestUnscaled: UInt64 = 65_535

    init(largest: UInt64? = nil) {
        self.largest = largest ?? Self.usual
        limit = largest ?? Self.usualLimit
        size = largest.map { min(Self.smallest, $0) } ?? Self.usual
    }

    /// What a SYN offers.
    var initial: UInt32 { UInt32(min(size, Self.largestUnscaled)) }

    /// The peer's first number is known, and it has heard of the initial window.
    mutating func begin(with next: UInt64, at now: UInt64) {
        edge = next + UInt64(initial)
        began = now
    }

    /// What a packet offers that leaves now.
    @inline(__always)
    mutating func offer(from next: UInt64, unread: UInt64, hasHoles: Bool = false) -> UInt32 {
        // RFC 5681 §2: only what offers the same is a duplicate.
        if hasHoles, size <= limit, edge > next &+ size / 2 { return told(from: next) }
        let possible = possibleEdge(from: next, unread: unread)
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
        read &+= count
        if now &- began >= roundTrip, roundTrip > 0 { grow(at: now) }
        return isWorthTelling
    }

    @inline(__always)
    private func isWorthTelling(_ count: UInt64, next: UInt64) -> Bool {
        let known = UInt64(told(from: next))
        // Nearly always the window is far larger than what is read at once.
        guard count >= known else { return false }
        let possible = possibleEdge(from: next, unread: 0)
        return possible >= edge &+ min(Self.segment, size / 2) && possible &- next >= 2 * known
    }

    /// Twice what was read in a round trip, and more while that grows.
    private mutating func grow(at now: UInt64) {
        if read > readBefore {
            var wanted = 2 * read + 16 * Self.segment
            wanted += 2 * (wanted * (read - readBefore) / readBefore)
            size = max(size, min(wanted, largest))
            readBefore = read
        }
        read = 0
        began = now
    }

    @inline(__always)
    private func possibleEdge(from next: UInt64, unread: UInt64) -> UInt64 {
        next &+ (min(size > unread ? size &- unread : 0, limit) & ~(Self.unit &- 1))
    }

    @inline(__always)
    private func told(from next: UInt64) -> UInt32 {
        UInt32(truncatingIfNeeded: (edge > next ? edge &- next : 0) & ~(Self.unit &- 1))
    }
}
