package import Quantities

/// One direction of a link at work: filter stages in order, then the bottleneck, then the way.
///
/// It knows no clock and no kernel: the same link runs in virtual time and in real time. The stages
/// lie in raw storage, because every packet of a simulation changes them in place.
package struct LinkDirection: ~Copyable {
    private let stages: UnsafeMutableBufferPointer<FilterStage>
    private var bottleneck: DropTailBottleneck
    private let delay: TimeSpan

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
        switch plan.bottleneck.queue {
        case .dropTail(let limit):
            bottleneck = DropTailBottleneck(rate: plan.bottleneck.rate, limit: limit)
        }
    }

    deinit {
        stages.deinitialize()
        stages.deallocate()
    }

    /// Hands over a packet of so many IP bytes; a packet that a stage drops never enters the queue.
    package mutating func enqueue(_ size: Int, at now: Instant) -> Passage {
        var marks: PacketMarks = []
        for index in stages.indices {
            switch stages[index].accept(size) {
            case .pass: continue
            case .drop(let reason): return .dropped(reason)
            case .mark(let mark): marks.formUnion(mark)
            }
        }
        return enqueueFiltered(size, marks, at: now)
    }

    /// Hands over the copy of a packet that a stage has duplicated, right after the packet.
    package mutating func enqueueCopy(
        _ size: Int, _ marks: PacketMarks, at now: Instant
    ) -> Passage {
        enqueueFiltered(size, marks.subtracting(.duplicated), at: now)
    }

    @inline(__always)
    private mutating func enqueueFiltered(
        _ size: Int, _ marks: PacketMarks, at now: Instant
    ) -> Passage {
        guard let departure = bottleneck.enqueue(size, at: now) else { return .dropped(.queueFull) }
        return .arrives(
            Instant(nanoseconds: departure.nanoseconds &+ UInt64(bitPattern: delay.nanoseconds)),
            marks)
    }
}
