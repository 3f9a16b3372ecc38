import Quantities

/// A rate behind a queue whose discipline decides about waiting packets. Departures are not known
/// in advance, and each is an event.
struct DisciplinedBottleneck: ~Copyable, Clonable {
    /// Dropped packets that have not been reported.
    private var givenUp: [Int32] = []
    private let rate: Bitrate
    private var clock: RateClock?
    private let limit: UInt64
    private var discipline: QueueDiscipline
    private var room: WaitingRoom
    private var sending: WaitingPacket?
    /// The end of sending the current or last packet.
    private var end: UInt64 = 0
    /// No packet leaves before this moment.
    private var heldUntil: UInt64 = 0

    init(
        rate: Bitrate, clock: RateClock?, _ discipline: DisciplinePlan, limit: ByteCount,
        random: RandomStream
    ) {
        self.rate = rate
        self.clock = clock
        self.limit = limit.bytes
        self.discipline = QueueDiscipline(discipline, rate: rate, random: random)
        room = WaitingRoom(lines: discipline.lineCount)
    }

    package mutating func unshare() {
        keep(givenUp)
        keep(clock)
        keep(discipline)
        room.unshare()
    }

    /// Adds a packet and returns the end of sending the current packet.
    mutating func enqueue(_ packet: WaitingPacket, at now: Instant) -> Instant? {
        if sending == nil, room.count == 0, now.nanoseconds > end {
            let packetTime = sendingTime(1_500)
            discipline.stoodEmpty(for: (now.nanoseconds - end) / max(packetTime, 1))
            end = now.nanoseconds
        }
        discipline.enqueue(packet, limit: limit, &room, &givenUp)
        if sending == nil { beginNext(at: max(now.nanoseconds, heldUntil)) }
        return nextDeparture
    }

    /// Removes the packet whose last bit has left, and returns the end of sending the next one;
    /// `nil` if none was being sent.
    mutating func depart() -> (left: WaitingPacket, next: Instant?)? {
        guard let left = sending else { return nil }
        beginNext(at: end)
        return (left, nextDeparture)
    }

    var busyUntil: UInt64 { end }

    mutating func hold(until time: UInt64) { heldUntil = max(heldUntil, time) }

    /// Drops all waiting packets and the packet being sent.
    mutating func clear(at now: Instant) {
        if let sending { givenUp.append(sending.place) }
        sending = nil
        while let next = discipline.dequeue(at: now.nanoseconds, &room, &givenUp) {
            givenUp.append(next.place)
        }
        end = min(end, now.nanoseconds)
        heldUntil = 0
        clock?.rewind(to: now.nanoseconds, unsent: 0)
    }

    /// Returns the place of a dropped packet, once for each packet.
    mutating func takeGivenUp() -> Int32? { givenUp.popLast() }

    /// The end of sending the current packet.
    private var nextDeparture: Instant? {
        sending == nil ? nil : Instant(nanoseconds: end)
    }

    private mutating func beginNext(at now: UInt64) {
        sending = discipline.dequeue(at: now, &room, &givenUp)
        guard let (size, enqueuedAt) = sending.map({ ($0.size, $0.enqueuedAt) }) else { return }
        end =
            clock?.end(of: size, enqueuedAt: enqueuedAt, from: now) ?? (now + sendingTime(size))
    }

    private func sendingTime(_ size: Int) -> UInt64 {
        rate.timeToSend(ByteCount(UInt64(size))).nanoseconds.magnitude
    }
}
