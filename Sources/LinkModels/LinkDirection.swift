package import Quantities

/// One direction of a link at work: filter stages in order, then the bottleneck, then the way.
/// A link has no clock, so it runs in virtual time and in real time. The stages are in raw storage,
/// because every packet of a simulation changes them in place.
@usableFromInline package struct LinkDirection: ~Copyable, Clonable {
    private var stages: UnsafeMutableBufferPointer<FilterStage>
    @usableFromInline var bottleneck: DropTailBottleneck
    /// The queue, if departures are not known at enqueue.
    private var queue: DisciplinedBottleneck?
    private let isDisciplined: Bool
    /// Whether the link has no stages, a constant rate and delay, and departures known at enqueue,
    /// like most links. Then `arrival` is the whole result.
    package let isPlain: Bool
    /// Losses behind the queue, which few links have.
    private var lossesOnWay: [FilterStage]
    private let losesOnWay: Bool
    private var slots: Slots?
    private let delay: TimeSpan
    @usableFromInline let delayNanoseconds: UInt64
    /// The clock of a delay that changes.
    private var delays: DelayClock?
    /// Whether packets would overtake each other if they did not wait.
    private let variesDelay: Bool
    /// The latest arrival of a packet that keeps its order.
    private var latestArrival: UInt64 = 0
    /// Changes of the cell at which waiting packets are lost, and how many of them are over.
    private let forgetfulCells: CellChanges?
    private var changeCount: UInt64 = 0
    /// No packet leaves before this moment, because of a radio.
    private var heldUntil: UInt64 = 0

    /// The fate of a packet, known at enqueue.
    package enum Passage: Hashable, Sendable {
        case arrives(Instant, PacketMarks = [])
        /// The packet waits; `nextDeparture` and `nextGivenUp` report its fate later.
        case waits(PacketMarks)
        case dropped(DropReason)
    }

    /// A packet that has left its queue and is on its way.
    package struct Departure {
        package let place: Int32
        package let arrival: Instant
        package let marks: PacketMarks
    }

    package init(_ plan: LinkPlan, seed: UInt64) {
        let row = FilterStage.row(plan.filters, at: plan.name, seed: seed)
        stages = .allocate(capacity: row.count)
        _ = stages.initialize(from: row)
        lossesOnWay = FilterStage.row(plan.lossesOnWay, at: "\(plan.name)/way", seed: seed)
        losesOnWay = !plan.lossesOnWay.isEmpty
        slots = plan.slots.map {
            Slots($0, random: RandomStream(seed: seed, name: "\(plan.name)/slots"))
        }
        delay = plan.delay
        delayNanoseconds = UInt64(bitPattern: plan.delay.nanoseconds)
        delays = plan.delays.map { DelayClock($0) }
        variesDelay = plan.variesDelay
        forgetfulCells = plan.cells.flatMap { $0.forwards ? nil : $0 }
        let rate = plan.bottleneck.rate
        let clock = plan.bottleneck.schedule.map {
            RateClock($0, random: RandomStream(seed: seed, name: "\(plan.name)/air"))
        }
        switch plan.bottleneck.queue {
        case .dropTail(let limit):
            bottleneck = DropTailBottleneck(rate: rate, clock: clock, limit: limit)
            queue = nil
            isDisciplined = false
        case .dropTailPackets(let count):
            bottleneck = DropTailBottleneck(rate: rate, clock: clock, packetLimit: count)
            queue = nil
            isDisciplined = false
        case .disciplined(let discipline, let limit):
            bottleneck = DropTailBottleneck(rate: rate, clock: clock, limit: limit)
            let random = RandomStream(seed: seed, name: "\(plan.name)/queue")
            queue = DisciplinedBottleneck(
                rate: rate, clock: clock, discipline, limit: limit, random: random)
            isDisciplined = true
        }
        isPlain =
            plan.filters.isEmpty && !isDisciplined && clock == nil && !plan.variesDelay
            && plan.slots == nil && plan.lossesOnWay.isEmpty
    }

    deinit {
        stages.deinitialize()
        stages.deallocate()
    }

    package mutating func unshare() {
        let originals = stages
        stages = .allocate(capacity: originals.count)
        _ = stages.initialize(from: originals)
        keep(delays)
        bottleneck.unshare()
        queue?.unshare()
        keep(lossesOnWay)
    }

    /// Takes a packet of this many IP bytes. A packet that a stage drops never enters the queue. A
    /// queue in which packets wait identifies them by the caller's `place`.
    package mutating func enqueue(
        _ size: Int, flow: FlowLabel = FlowLabel(), place: Int32 = 0, marking: Marking = .none,
        at now: Instant
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
        return pass(
            WaitingPacket(
                place: place, size: size, flow: flow, marks: marks, marking: marking,
                enqueuedAt: now.nanoseconds, way: way, isHeldBack: isHeldBack), at: now)
    }

    /// Takes a packet on a plain link and returns its arrival in nanoseconds, or `nil` if the queue
    /// is full.
    @inlinable @inline(__always)
    package mutating func arrival(of size: Int, atNanoseconds now: UInt64) -> UInt64? {
        guard let departure = bottleneck.departure(of: size, atNanoseconds: now) else { return nil }
        return departure &+ delayNanoseconds
    }

    /// Takes the copy of a duplicated packet, right after the packet; the copy skips the stages.
    package mutating func enqueueCopy(
        _ size: Int, _ marks: PacketMarks, flow: FlowLabel = FlowLabel(), place: Int32 = 0,
        marking: Marking = .none, at now: Instant
    ) -> Passage {
        pass(
            WaitingPacket(
                place: place, size: size, flow: flow, marks: marks.intersection(.corrupted),
                marking: marking, enqueuedAt: now.nanoseconds, way: delay), at: now)
    }

    /// Takes a packet behind the stages.
    @inline(__always)
    private mutating func pass(_ packet: WaitingPacket, at now: Instant) -> Passage {
        if isDisciplined {
            nextDeparture = queue?.enqueue(packet, at: now) ?? nil
            return .waits(packet.marks)
        }
        if let forgetfulCells {
            forget(at: now, count: forgetfulCells.count(until: now.nanoseconds))
        }
        guard let departure = bottleneck.enqueue(packet.size, at: now) else {
            return .dropped(.queueFull)
        }
        if let forgetfulCells, forgetfulCells.count(before: departure.nanoseconds) > changeCount {
            return .dropped(.lost)
        }
        return .arrives(
            arrival(of: packet, leaving: departure), packet.marks.union(fate(of: packet, departure))
        )
    }

    /// Empties the queue if the cell has changed since the latest packet.
    private mutating func forget(at now: Instant, count: UInt64) {
        guard count > changeCount else { return }
        changeCount = count
        bottleneck.clear(at: now)
        bottleneck.hold(until: heldUntil)
    }

    // MARK: Radios

    /// The end of the latest sending, in nanoseconds.
    package var busyUntil: UInt64 {
        mutating get { isDisciplined ? queue?.busyUntil ?? 0 : bottleneck.idleFrom }
    }

    /// Lets no packet that comes from now on leave before a moment.
    package mutating func hold(untilNanoseconds time: UInt64) {
        heldUntil = time
        if isDisciplined { queue?.hold(until: time) } else { bottleneck.hold(until: time) }
    }

    // MARK: Queues that decide later

    /// The end of sending the current packet; `depart` must be called then.
    package private(set) var nextDeparture: Instant?

    /// Returns the packet whose last bit has left, and lets the queue choose the next one.
    package mutating func depart() -> Departure? {
        guard let left = nextDeparture, let change = queue?.depart() else { return nil }
        nextDeparture = change.next
        let packet = change.left
        return Departure(
            place: packet.place, arrival: arrival(of: packet, leaving: left),
            marks: packet.marks.union(fate(of: packet, left)))
    }

    /// Returns the place of a packet that the queue has dropped, once for each packet.
    package mutating func nextGivenUp() -> Int32? { queue?.takeGivenUp() }

    /// Drops everything when the link goes down. `nextGivenUp` reports packets that were waiting in
    /// a queue that decides later.
    package mutating func clear(at now: Instant) {
        bottleneck.clear(at: now)
        queue?.clear(at: now)
        slots?.clear()
        nextDeparture = nil
        delays?.rewind()
        latestArrival = 0
        heldUntil = 0
    }

    /// Returns the arrival of a packet that left. A packet that keeps its order comes no closer to
    /// the packet before it than the rate allows. This adds no more than the longest delay.
    @inline(__always)
    private mutating func arrival(of packet: WaitingPacket, leaving departure: Instant) -> Instant {
        var arrival = departure + packet.way
        if variesDelay {
            if let extra = delays?.extra(at: departure.nanoseconds) {
                arrival = Instant(nanoseconds: arrival.nanoseconds + extra)
            }
            if !packet.isHeldBack {
                latestArrival = max(
                    arrival.nanoseconds, latestArrival &+ bottleneck.leastSendingTime(packet.size))
                arrival = Instant(nanoseconds: latestArrival)
            }
        }
        guard let end = slots?.release(of: packet.size, arrivedAt: arrival.nanoseconds) else {
            return arrival
        }
        return Instant(nanoseconds: end)
    }

    /// Returns a mark if a packet that has left is lost on its way.
    @inline(__always)
    private mutating func fate(of packet: WaitingPacket, _ departure: Instant) -> PacketMarks {
        losesOnWay ? fateOnWay(of: packet, departure) : []
    }

    @inline(never)
    private mutating func fateOnWay(
        of packet: WaitingPacket, _ departure: Instant
    ) -> PacketMarks {
        for index in lossesOnWay.indices
        where lossesOnWay[index].accept(packet.size, at: departure) != .pass {
            return .lostOnWay
        }
        return []
    }
}
