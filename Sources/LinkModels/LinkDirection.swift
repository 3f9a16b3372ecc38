package import Quantities

/// One direction of a link at work: filter stages in order, then the bottleneck, then the way.
///
/// It knows no clock and no kernel: the same link runs in virtual time and in real time. The stages
/// lie in raw storage, because every packet of a simulation changes them in place.
@usableFromInline package struct LinkDirection: ~Copyable, Clonable {
    private var stages: UnsafeMutableBufferPointer<FilterStage>
    @usableFromInline var bottleneck: DropTailBottleneck
    /// In its place, where departures are not known at enqueue.
    private var queue: DisciplinedBottleneck?
    private let isDisciplined: Bool
    /// No stage, one rate, and departures known at enqueue: most links, and `arrival` tells all
    /// about a packet.
    package let isPlain: Bool
    private let delay: TimeSpan
    @usableFromInline let delayNanoseconds: UInt64
    /// Whether packets might overtake each other on the way, if they did not wait.
    private let hasJitter: Bool
    /// When the latest packet arrives of those that keep their order.
    private var latestArrival: UInt64 = 0

    /// What becomes of a packet, known as soon as it is handed over.
    package enum Passage: Hashable, Sendable {
        case arrives(Instant, PacketMarks = [])
        /// It is in the queue's hands; `nextDeparture` and `nextGivenUp` tell what becomes of it.
        case waits(PacketMarks)
        case dropped(DropReason)
    }

    /// A packet that has left its queue, and is on the way.
    package struct Departure {
        package let place: Int32
        package let arrival: Instant
        package let marks: PacketMarks
    }

    package init(_ plan: LinkPlan, seed: UInt64) {
        let row = FilterStage.row(plan, seed: seed)
        stages = .allocate(capacity: row.count)
        _ = stages.initialize(from: row)
        delay = plan.delay
        delayNanoseconds = UInt64(bitPattern: plan.delay.nanoseconds)
        hasJitter = plan.filters.contains { if case .jitter = $0 { true } else { false } }
        let (rate, schedule) = (plan.bottleneck.rate, plan.bottleneck.schedule)
        switch plan.bottleneck.queue {
        case .dropTail(let limit):
            bottleneck = DropTailBottleneck(rate: rate, schedule: schedule, limit: limit)
            queue = nil
            isDisciplined = false
        case .dropTailPackets(let count):
            bottleneck = DropTailBottleneck(rate: rate, schedule: schedule, packets: count)
            queue = nil
            isDisciplined = false
        case .disciplined(let discipline, let limit):
            bottleneck = DropTailBottleneck(rate: rate, schedule: schedule, limit: limit)
            let random = RandomStream(seed: seed, name: "\(plan.name)/queue")
            queue = DisciplinedBottleneck(
                plan.bottleneck, discipline, limit: limit, random: random)
            isDisciplined = true
        }
        isPlain = plan.filters.isEmpty && !isDisciplined && schedule == nil
    }

    deinit {
        stages.deinitialize()
        stages.deallocate()
    }

    package mutating func unshare() {
        let originals = stages
        stages = .allocate(capacity: originals.count)
        _ = stages.initialize(from: originals)
        bottleneck.unshare()
        queue?.unshare()
    }

    /// Hands over a packet of so many IP bytes; a packet that a stage drops never enters the queue.
    ///
    /// A queue that makes it wait knows it by the caller's `place`.
    package mutating func enqueue(
        _ size: Int, flow: UInt16 = 0, place: Int32 = 0, isMarkable: Bool = false, at now: Instant
    ) -> Passage {
        var marks: PacketMarks = []
        var way = delay
        var isHeldBack = false
        for index in stages.indices {
            switch stages[index].accept(size, at: now) {
            case .pass: continue
            case .drop(let reason): return .dropped(reason)
            case .mark(let mark): marks.formUnion(mark)
            case .delay(let span): way = way + span
            case .holdBack(let span):
                way = way + span
                isHeldBack = true
            }
        }
        if isDisciplined {
            return wait(
                WaitingPacket(
                    place: place, size: size, flow: flow, marks: marks, isMarkable: isMarkable,
                    enqueuedAt: now.nanoseconds, way: way, isHeldBack: isHeldBack), at: now)
        }
        guard let departure = bottleneck.enqueue(size, at: now) else { return .dropped(.queueFull) }
        var arrival = departure + way
        if hasJitter, !isHeldBack { arrival = keptInOrder(arrival, size) }
        return .arrives(arrival, marks)
    }

    /// Hands a packet over to a link that is plain: when it will arrive, in nanoseconds, or `nil`
    /// if the queue has no room for it.
    @inlinable @inline(__always)
    package mutating func arrival(of size: Int, atNanoseconds now: UInt64) -> UInt64? {
        guard let departure = bottleneck.departure(of: size, atNanoseconds: now) else { return nil }
        return departure &+ delayNanoseconds
    }

    /// Hands over the copy of a packet that a stage has duplicated, right after the packet; it goes
    /// the plain way.
    package mutating func enqueueCopy(
        _ size: Int, _ marks: PacketMarks, flow: UInt16 = 0, place: Int32 = 0,
        isMarkable: Bool = false, at now: Instant
    ) -> Passage {
        if isDisciplined {
            return wait(
                WaitingPacket(
                    place: place, size: size, flow: flow, marks: marks.subtracting(.duplicated),
                    isMarkable: isMarkable, enqueuedAt: now.nanoseconds, way: delay), at: now)
        }
        guard let departure = bottleneck.enqueue(size, at: now) else { return .dropped(.queueFull) }
        var arrival = departure + delay
        if hasJitter { arrival = keptInOrder(arrival, size) }
        return .arrives(arrival, marks.subtracting(.duplicated))
    }

    // MARK: Queues that decide later

    /// When the packet that is being sent will have left; `depart` must be called then.
    package private(set) var nextDeparture: Instant?

    /// Takes the packet whose last bit has left, and lets the queue choose the next.
    package mutating func depart() -> Departure? {
        guard let left = nextDeparture, let change = queue?.depart() else { return nil }
        nextDeparture = change.next
        let packet = change.left
        var arrival = left + packet.way
        if hasJitter, !packet.isHeldBack { arrival = keptInOrder(arrival, packet.size) }
        return Departure(place: packet.place, arrival: arrival, marks: packet.marks)
    }

    /// The place of a packet that the queue has dropped, and that nobody has asked for yet.
    package mutating func nextGivenUp() -> Int32? { queue?.takeGivenUp() }

    /// The link goes down: nothing waits any more, and nothing is on the way. The places of those
    /// that waited in a queue that decides later are told by `nextGivenUp`.
    package mutating func clear(at now: Instant) {
        bottleneck.clear()
        queue?.clear(at: now)
        nextDeparture = nil
        latestArrival = 0
    }

    private mutating func wait(_ packet: WaitingPacket, at now: Instant) -> Passage {
        nextDeparture = queue?.enqueue(packet, at: now) ?? nil
        return .waits(packet.marks)
    }

    /// A packet that waits behind another comes no closer to it than the rate allows. No packet is
    /// later for that than the longest way after its departure: those before it left earlier by as
    /// much as they come earlier.
    private mutating func keptInOrder(_ arrival: Instant, _ size: Int) -> Instant {
        latestArrival = max(
            arrival.nanoseconds, latestArrival &+ bottleneck.leastSendingTime(size))
        return Instant(nanoseconds: latestArrival)
    }
}
