import LinkModels
import Quantities

/// A queue before a slow line, offered packets on a plan, and what became of each.
final class QueueBench {
    /// Waiting by packet, in the order of departure; `nil` in `waits` for one that was dropped.
    private(set) var waits: [Int: TimeSpan] = [:]
    private(set) var order: [Int] = []
    private(set) var dropped: [Int: Instant] = [:]
    private var link: LinkDirection
    private var sent: [Instant] = []
    private let wire: TimeSpan

    /// 8 Mbit/s: a packet of 1500 bytes takes 1.5 ms.
    init(_ discipline: DisciplinePlan, limit: UInt64, seed: UInt64 = 7) {
        var plan = LinkPlan.filtered([])
        plan.delay = .zero
        plan.bottleneck.queue = .disciplined(discipline, limit: ByteCount(limit))
        link = LinkDirection(plan, seed: seed)
        wire = .microseconds(1_500)
    }

    /// Offers a full packet of a flow; all that leaves before is let go first.
    func offer(flow: UInt16 = 0, host: UInt16 = 0, at now: Instant) {
        play(until: now)
        let number = sent.count
        sent.append(now)
        _ = link.enqueue(1_500, flow: FlowLabel(flow, host: host), place: Int32(number), at: now)
        collectDropped(at: now)
    }

    func play(until limit: Instant) {
        while let next = link.nextDeparture, next <= limit, let left = link.depart() {
            let number = Int(left.place)
            order.append(number)
            waits[number] = left.arrival - sent[number] - wire
            collectDropped(at: next)
        }
    }

    private func collectDropped(at now: Instant) {
        while let place = link.nextGivenUp() { dropped[Int(place)] = now }
    }
}
