package import Quantities

/// One direction of a link at work: filter stages in order, then the bottleneck, then the way.
///
/// It knows no clock and no kernel: the same link runs in virtual time and in real time. The stages
/// lie in raw storage, because every packet of a simulation changes them in place.
package struct LinkDirection: ~Copyable {
    private let stages: UnsafeMutableBufferPointer<FilterStage>
    private var bottleneck: DropTailBottleneck
    private let delay: TimeSpan
    /// Whether packets might overtake each other on the way, if they did not wait.
    private let hasJitter: Bool
    /// When the latest packet arrives of those that keep their order.
    private var latestArrival: UInt64 = 0

    /// What becomes of a packet, known as soon as it is handed over.
    package enum Passage: Hashable, Sendable {
        case arrives(Instant, PacketMarks = [])
        case dropped(DropReason)
    }

    package init(_ plan: LinkPlan, seed: UInt64) {
        let row = FilterStage.row(plan, seed: seed)
        stages = .allocate(capacity: row.count)
        _ = stages.initialize(from: row)
        delay = plan.delay
        hasJitter = plan.filters.contains { if case .jitter = $0 { true } else { false } }
        switch plan.bottleneck.queue {
        case .dropTail(let limit):
            bottleneck = DropTailBottleneck(
                rate: plan.bottleneck.rate, schedule: plan.bottleneck.schedule, limit: limit)
        }
    }

    deinit {
        stages.deinitialize()
        stages.deallocate()
    }

    /// Hands over a packet of so many IP bytes; a packet that a stage drops never enters the queue.
    package mutating func enqueue(_ size: Int, at now: Instant) -> Passage {
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
        guard let departure = bottleneck.enqueue(size, at: now) else { return .dropped(.queueFull) }
        var arrival = departure + way
        if hasJitter, !isHeldBack { arrival = keptInOrder(arrival, size) }
        return .arrives(arrival, marks)
    }

    /// Hands over the copy of a packet that a stage has duplicated, right after the packet; it goes
    /// the plain way.
    package mutating func enqueueCopy(
        _ size: Int, _ marks: PacketMarks, at now: Instant
    ) -> Passage {
        guard let departure = bottleneck.enqueue(size, at: now) else { return .dropped(.queueFull) }
        var arrival = departure + delay
        if hasJitter { arrival = keptInOrder(arrival, size) }
        return .arrives(arrival, marks.subtracting(.duplicated))
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
