import Quantities
import Testing

@testable import LinkModels

/// The coupled dual queue of RFC 9332, packet by packet: 8 Mbit/s, so that 1000 bytes take 1 ms.
@Suite struct DualPI2Tests {
    /// The first delay changes the base chance p by α (delay − 15 ms) + β delay. At p a classic
    /// packet is dropped or marked by p², and a scalable one is marked by 2 p. Beyond 2 p = 1
    /// marks cannot help any more, and packets of all kinds are dropped by p².
    @Test(arguments: [15, 40, 100, 200] as [UInt64])
    func `a mark is twice the root of a drop, until marks cannot help any more`(
        delay milliseconds: UInt64
    ) {
        let delay = Double(milliseconds) / 1e3
        let base = 0.16 * (delay - 0.015) + 3.2 * delay
        let isOverload = 2 * base > 1
        for marking in [Marking.none, .classic, .scalable] {
            let seen = Self.shares(of: marking, afterDelay: milliseconds)
            let expected: (marked: Double, dropped: Double) =
                switch marking {
                case .none: (0, base * base)
                case .classic: isOverload ? (0, base * base) : (base * base, 0)
                case .scalable: isOverload ? (1 - base * base, base * base) : (2 * base, 0)
                }
            #expect(abs(seen.marked - expected.marked) < 0.06 * expected.marked + 1e-5)
            #expect(abs(seen.dropped - expected.dropped) < 0.06 * expected.dropped + 1e-5)
        }
    }

    @Test func `packets with ECT(0) are marked where others would be dropped`() {
        var line = DualLine()
        for number in 0..<40_000 {
            line.offer(number % 10 == 0 ? .classic : .none, after: 952)
        }
        #expect(line.count(.classic, .dropped) == 0)
        let marked = Double(line.count(.classic, .marked)) / Double(line.count(.classic))
        let dropped = Double(line.count(.none, .dropped)) / Double(line.count(.none))
        #expect(dropped > 0.03)
        #expect(abs(marked / dropped - 1) < 0.2, "\(marked) and \(dropped)")
    }

    @Test func `the delay of classic traffic is held at the target`() {
        var line = DualLine()
        for _ in 0..<40_000 { line.offer(.none, after: 952) }
        let late = line.waits(.none).suffix(10_000)
        let mean = Double(late.reduce(0, +)) / Double(late.count) / 1e6
        #expect(abs(mean - 15) < 2, "\(mean) ms")
    }

    @Test func `a scalable packet goes first, and is marked if it has waited too long`() {
        var line = DualLine()
        for _ in 0..<4 { line.offer(.none, after: 0) }
        for _ in 0..<4 { line.offer(.scalable, after: 0) }
        line.finish()
        // The first is on the wire already. The third and fourth scalable ones wait for over 1 ms.
        #expect(line.order == [0, 4, 5, 6, 7, 1, 2, 3])
        #expect(line.marked == [5, 6, 7])
    }

    @Test func `scalable packets go first, but leave a tenth to the others`() {
        var line = DualLine()
        for number in 0..<400 { line.offer(number % 2 == 0 ? .scalable : .none, after: 0) }
        line.finish()
        let classic = line.order.prefix(100).count { $0 % 2 == 1 }
        #expect((9...11).contains(classic), "\(classic)")
    }

    /// Two and a half times what the line carries, and nobody slows down.
    @Test func `in a flood both kinds lose what is too much, and nothing waits for long`() {
        var line = DualLine()
        for number in 0..<60_000 { line.offer(number % 2 == 0 ? .scalable : .none, after: 400) }
        for marking in [Marking.scalable, .none] {
            let dropped = Double(line.count(marking, .dropped)) / Double(line.count(marking))
            #expect(abs(dropped - 0.6) < 0.02, "\(marking): \(dropped)")
        }
        #expect(line.count(.scalable, .passed) < 600)
        let late = line.waits(.none).suffix(4_000)
        let mean = Double(late.reduce(0, +)) / Double(late.count) / 1e6
        #expect(abs(mean - 15) < 3, "\(mean) ms")
    }

    @Test func `after a flood nothing is dropped any more, or marked`() {
        var line = DualLine()
        for number in 0..<10_000 { line.offer(number % 2 == 0 ? .scalable : .none, after: 400) }
        for _ in 0..<2_000 { line.offer(.scalable, after: 1_200) }
        let before = (line.count(.scalable, .dropped), line.count(.scalable, .marked))
        for _ in 0..<2_000 { line.offer(.scalable, after: 1_200) }
        line.finish()
        #expect(line.count(.scalable, .dropped) == before.0 && before.0 > 2_000)
        #expect(line.count(.scalable, .marked) == before.1)
    }

    /// Returns what happens to packets of a kind after a delay that has come all at once.
    private static func shares(
        of marking: Marking, afterDelay milliseconds: UInt64
    ) -> (marked: Double, dropped: Double) {
        let count = 1_000_000
        var queue = DualPI2(.init(), random: RandomStream(seed: 7, name: "dual queue"))
        var room = WaitingRoom(lines: 2)
        var givenUp: [Int32] = []
        // The last update sees a packet that has waited so long, and those before it saw none.
        let now: UInt64 = 16_000_000 * (1 + milliseconds / 16)
        queue.update(at: now - 16_000_000, room)
        let first = packet(.none, enqueuedAt: now - milliseconds * 1_000_000)
        room.append(first, to: DualPI2.line(of: first))
        queue.update(at: now, room)
        for _ in 0..<count {
            let packet = packet(marking, enqueuedAt: now)
            room.append(packet, to: DualPI2.line(of: packet))
        }
        var marked = 0
        while let packet = queue.dequeue(at: now, &room, &givenUp) {
            if packet.marks.contains(.congested) { marked += 1 }
        }
        return (Double(marked) / Double(count), Double(givenUp.count) / Double(count))
    }

    private static func packet(_ marking: Marking, enqueuedAt time: UInt64) -> WaitingPacket {
        WaitingPacket(
            place: 0, size: 1_000, flow: FlowLabel(), marking: marking, enqueuedAt: time, way: .zero
        )
    }
}

/// A dual queue before a line, and what became of each packet of 1000 bytes.
private struct DualLine: ~Copyable {
    enum Fate { case passed, marked, dropped }

    private var link: LinkDirection
    private var now: UInt64 = 0
    private var sent: [(marking: Marking, at: UInt64)] = []
    private var fates: [Int: Fate] = [:]
    private var departures: [Int: UInt64] = [:]
    private(set) var order: [Int] = []

    init() {
        var plan = LinkPlan.filtered([])
        plan.delay = .zero
        plan.bottleneck.queue = .disciplined(.dualPI2(.init()), limit: ByteCount(10_000_000))
        link = LinkDirection(plan, seed: 7)
    }

    mutating func offer(_ marking: Marking, after microseconds: UInt64) {
        now += microseconds * 1_000
        play(until: now)
        let number = sent.count
        sent.append((marking, now))
        _ = link.enqueue(
            1_000, flow: FlowLabel(), place: Int32(number), marking: marking,
            at: Instant(nanoseconds: now))
        collectDropped()
    }

    mutating func finish() { play(until: now + 1_000_000_000) }

    private mutating func play(until limit: UInt64) {
        while let next = link.nextDeparture, next.nanoseconds <= limit, let left = link.depart() {
            let number = Int(left.place)
            order.append(number)
            fates[number] = left.marks.contains(.congested) ? .marked : .passed
            departures[number] = left.arrival.nanoseconds - 1_000_000
            collectDropped()
        }
    }

    private mutating func collectDropped() {
        while let place = link.nextGivenUp() { fates[Int(place)] = .dropped }
    }

    func count(_ marking: Marking, _ fate: Fate? = nil) -> Int {
        sent.indices.count {
            sent[$0].marking == marking && fates[$0] != nil && (fate == nil || fates[$0] == fate)
        }
    }

    /// How long packets waited, in the order of sending.
    func waits(_ marking: Marking) -> [UInt64] {
        sent.indices.compactMap { number in
            guard sent[number].marking == marking else { return nil }
            return departures[number].map { $0 - sent[number].at }
        }
    }

    /// Numbers of marked packets, in order.
    var marked: [Int] { sent.indices.filter { fates[$0] == .marked } }
}
