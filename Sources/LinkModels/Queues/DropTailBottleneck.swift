package import Quantities

/// A rate behind a drop-tail queue.
/// A packet's departure is known at enqueue, so no later event is needed; waiting packets are
/// counted from the moments at which their sending begins. The ring is raw and `enqueue` is
/// inlinable, because every packet of a simulation passes through them.
@usableFromInline package struct DropTailBottleneck: ~Copyable, Clonable {
    private let rate: Bitrate
    /// The clock of a changing rate; departures are still known at enqueue.
    private var clock: RateClock?
    @usableFromInline let limit: UInt64
    @usableFromInline let packetLimit: Int
    /// The moment at which the wire becomes idle, in nanoseconds.
    @usableFromInline var idleFrom: UInt64 = 0
    @usableFromInline var waitingBytes: UInt64 = 0
    @usableFromInline var waiting: UnsafeMutablePointer<Waiting>
    @usableFromInline var mask = 15
    @usableFromInline var head = 0
    @usableFromInline var tail = 0
    /// The sending times of the last two sizes, because packets have few sizes and divisions are
    /// slow.
    @usableFromInline var latest = SendingTime(size: 0, nanoseconds: 0)
    @usableFromInline var previous = SendingTime(size: 0, nanoseconds: 0)

    /// A packet whose sending had not begun at the last look.
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

    init(
        rate: Bitrate, clock: RateClock?, limit: ByteCount = ByteCount(1 << 62),
        packetLimit: Int = .max
    ) {
        self.rate = rate
        self.clock = clock
        self.limit = limit.bytes
        self.packetLimit = packetLimit
        waiting = .allocate(capacity: mask + 1)
    }

    deinit { waiting.deallocate() }

    package mutating func unshare() {
        keep(clock)
        waiting = waiting.cloned(capacity: mask + 1)
    }

    /// Adds a packet and returns its departure, or `nil` if the queue is full.
    package mutating func enqueue(_ size: Int, at now: Instant) -> Instant? {
        guard let begins = beginning(of: size, atNanoseconds: now.nanoseconds) else { return nil }
        idleFrom =
            clock?.end(of: size, enqueuedAt: now.nanoseconds, from: begins)
            ?? begins + sendingTime(size)
        return Instant(nanoseconds: idleFrom)
    }

    /// Adds a packet at a constant rate, in plain numbers.
    @inlinable @inline(__always)
    mutating func departure(of size: Int, atNanoseconds time: UInt64) -> UInt64? {
        guard let begins = beginning(of: size, atNanoseconds: time) else { return nil }
        idleFrom = begins &+ sendingTime(size)
        return idleFrom
    }

    /// Returns the start of sending a packet that arrives now, or `nil` if the queue is full.
    @inlinable @inline(__always)
    mutating func beginning(of size: Int, atNanoseconds time: UInt64) -> UInt64? {
        forgetBegun(atNanoseconds: time)
        guard idleFrom > time else { return time }
        // The packet being sent does not count as waiting.
        guard waitingBytes &+ UInt64(size) <= limit, tail &- head < packetLimit else { return nil }
        wait(Waiting(begins: idleFrom, size: UInt64(size)))
        return idleFrom
    }

    /// Keeps the wire occupied until a moment.
    mutating func hold(until time: UInt64) { idleFrom = max(idleFrom, time) }

    /// Drops everything.
    package mutating func clear(at now: Instant) {
        forgetBegun(atNanoseconds: now.nanoseconds)
        clock?.rewind(to: now.nanoseconds, unsent: waitingBytes)
        head = tail
        waitingBytes = 0
        idleFrom = 0
    }

    /// Stops counting packets whose sending has begun.
    @inlinable @inline(__always)
    mutating func forgetBegun(atNanoseconds time: UInt64) {
        while head != tail, waiting[head & mask].begins <= time {
            waitingBytes &-= waiting[head & mask].size
            head &+= 1
        }
    }

    /// Returns the shortest time that a packet of this size takes on the wire.
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
