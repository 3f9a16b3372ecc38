package import Quantities

/// A rate behind a queue that turns away what does not fit.
///
/// When a packet will have left is known as soon as it comes, so nothing has to happen later: who
/// still waits is counted from the moments at which the packets' sending begins. The raw ring is
/// here because every packet of a simulation passes through it, and for that `enqueue` can be
/// inlined into whoever calls it.
@usableFromInline package struct DropTailBottleneck: ~Copyable, Clonable {
    private let rate: Bitrate
    /// Where the rate is not always the same: the departure is known at once all the same.
    private var clock: RateClock?
    @usableFromInline let limit: UInt64
    @usableFromInline let packetLimit: Int
    /// When the wire has sent all that was taken, in nanoseconds.
    @usableFromInline var idleFrom: UInt64 = 0
    @usableFromInline var waitingBytes: UInt64 = 0
    @usableFromInline var waiting: UnsafeMutablePointer<Waiting>
    @usableFromInline var mask = 15
    @usableFromInline var head = 0
    @usableFromInline var tail = 0
    /// Packets come in few sizes, and a division is dear: the answers for the last two.
    @usableFromInline var latest = SendingTime(size: 0, nanoseconds: 0)
    @usableFromInline var previous = SendingTime(size: 0, nanoseconds: 0)

    /// A packet whose sending had not begun when it was last looked at.
    @usableFromInline struct Waiting {
        @usableFromInline var begins: UInt64
        @usableFromInline var size: UInt64

        @inlinable init(begins: UInt64, size: UInt64) {
            self.begins = begins
            self.size = size
        }
    }

    @usableFromInline struct SendingTime {
        @usableFromInline var size: Int
        @usableFromInline var nanoseconds: UInt64
    }

    package init(rate: Bitrate, schedule: RateSchedule? = nil, limit: ByteCount) {
        self.init(rate: rate, schedule: schedule, limit: limit.bytes, packetLimit: .max)
    }

    package init(rate: Bitrate, schedule: RateSchedule?, packets: Int) {
        self.init(rate: rate, schedule: schedule, limit: 1 << 62, packetLimit: packets)
    }

    private init(rate: Bitrate, schedule: RateSchedule?, limit: UInt64, packetLimit: Int) {
        self.rate = rate
        clock = schedule.map { RateClock($0) }
        self.limit = limit
        self.packetLimit = packetLimit
        waiting = .allocate(capacity: mask + 1)
    }

    deinit { waiting.deallocate() }

    package mutating func unshare() {
        keep(clock)
        waiting = waiting.cloned(capacity: mask + 1)
    }

    /// When the packet's last bit will have left, or `nil` if the queue has no room for it.
    package mutating func enqueue(_ size: Int, at now: Instant) -> Instant? {
        guard let begins = beginning(of: size, atNanoseconds: now.nanoseconds) else { return nil }
        idleFrom = clock?.end(of: size, from: begins) ?? begins + sendingTime(size)
        return Instant(nanoseconds: idleFrom)
    }

    /// The same in plain numbers, where the rate is always the same.
    @inlinable @inline(__always)
    mutating func departure(of size: Int, atNanoseconds time: UInt64) -> UInt64? {
        guard let begins = beginning(of: size, atNanoseconds: time) else { return nil }
        idleFrom = begins &+ sendingTime(size)
        return idleFrom
    }

    /// When the sending of a packet begins that comes now, if the queue has room for it.
    @inlinable @inline(__always)
    mutating func beginning(of size: Int, atNanoseconds time: UInt64) -> UInt64? {
        while head != tail, waiting[head & mask].begins <= time {
            waitingBytes &-= waiting[head & mask].size
            head &+= 1
        }
        guard idleFrom > time else { return time }
        // Only the packet that is being sent does not count: this one would wait behind it.
        guard waitingBytes &+ UInt64(size) <= limit, tail &- head < packetLimit else { return nil }
        wait(Waiting(begins: idleFrom, size: UInt64(size)))
        return idleFrom
    }

    /// Nothing waits any more, and nothing is being sent.
    package mutating func clear() {
        head = tail
        waitingBytes = 0
        idleFrom = 0
    }

    /// How long a packet of this size occupies the wire at least.
    package mutating func leastSendingTime(_ size: Int) -> UInt64 {
        clock?.leastSpan(of: size) ?? sendingTime(size)
    }

    @inlinable @inline(__always)
    mutating func wait(_ packet: Waiting) {
        if tail &- head > mask { grow() }
        waiting[tail & mask] = packet
        tail &+= 1
        waitingBytes &+= packet.size
    }

    @usableFromInline
    mutating func grow() {
        let larger = UnsafeMutablePointer<Waiting>.allocate(capacity: 2 * (mask + 1))
        for place in head..<tail { larger[place & (2 * mask + 1)] = waiting[place & mask] }
        waiting.deallocate()
        waiting = larger
        mask = 2 * mask + 1
    }

    @inlinable @inline(__always)
    mutating func sendingTime(_ size: Int) -> UInt64 {
        if latest.size != size { findSendingTime(size) }
        return latest.nanoseconds
    }

    @usableFromInline @inline(never)
    mutating func findSendingTime(_ size: Int) {
        swap(&latest, &previous)
        guard latest.size != size else { return }
        let span = rate.timeToSend(ByteCount(UInt64(size)))
        latest = SendingTime(size: size, nanoseconds: UInt64(span.nanoseconds))
    }
}
