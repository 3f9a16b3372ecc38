import Quantities
import Testing

@testable import LinkModels

@Suite struct RadioClockTests {
    /// The radio of most tests, in milliseconds: it sleeps after 100, rests after 1 000 and more
    /// deeply after 5 000.
    private static var plan: RadioPlan {
        var plan = RadioPlan()
        plan.rests = [
            .init(after: .seconds(1), promotion: .milliseconds(30)),
            .init(
                after: .seconds(5), promotion: .milliseconds(260), paging: .milliseconds(1_280)),
        ]
        plan.sleep = .init(
            after: .milliseconds(100), cycle: .milliseconds(40), awake: .milliseconds(4))
        plan.grant = .init(every: .milliseconds(10), takes: .milliseconds(8))
        return plan
    }

    /// Returns when a packet may leave, all in milliseconds; the radio was last at work at `busy`.
    private func release(
        _ way: RadioClock.Way, at now: UInt64, busyUntil busy: UInt64?, isFree: Bool = true
    ) -> UInt64 {
        var clock = RadioClock(Self.plan)
        if busy != nil {
            // Promotes the radio at once, long before.
            _ = clock.release(.up, busyUntil: 0, isFree: true, atNanoseconds: 0)
        }
        return clock.release(
            way, busyUntil: (busy ?? 0) * 1_000_000, isFree: isFree,
            atNanoseconds: now * 1_000_000) / 1_000_000
    }

    @Test func `a radio begins in its deepest rest`() {
        #expect(release(.up, at: 0, busyUntil: nil) == 260)
        #expect(release(.down, at: 5, busyUntil: nil) == 1_280 + 260)
    }

    @Test func `the longer nothing came, the deeper the rest`() {
        #expect(release(.up, at: 11_000, busyUntil: 10_000) == 11_008)
        #expect(release(.up, at: 11_001, busyUntil: 10_000) == 11_031)
        #expect(release(.up, at: 15_000, busyUntil: 10_000) == 15_030)
        #expect(release(.up, at: 15_001, busyUntil: 10_000) == 15_261)
    }

    @Test func `a phone at rest is paged before it comes back`() {
        #expect(release(.down, at: 15_361, busyUntil: 10_000) == 16_640 + 260)
        #expect(release(.down, at: 16_640, busyUntil: 10_000) == 16_640 + 260)
        // A light rest without paging.
        #expect(release(.down, at: 11_001, busyUntil: 10_000) == 11_031)
    }

    @Test func `what comes during a promotion waits for its end`() {
        var clock = RadioClock(Self.plan)
        let first = clock.release(.up, busyUntil: 0, isFree: true, atNanoseconds: 1_000_000)
        #expect(first == 261_000_000)
        for way in [RadioClock.Way.up, .down] {
            #expect(
                clock.release(way, busyUntil: first, isFree: false, atNanoseconds: 2_000_000)
                    == first)
        }
    }

    @Test func `an empty uplink asks first, and a full one goes on`() {
        #expect(release(.up, at: 10_050, busyUntil: 10_000) == 10_058)
        #expect(release(.up, at: 10_051, busyUntil: 10_000) == 10_068)
        #expect(release(.up, at: 10_051, busyUntil: 10_060, isFree: false) == 10_051)
    }

    @Test func `a phone that sleeps hears at the beginning of each cycle`() {
        #expect(release(.down, at: 10_100, busyUntil: 10_000) == 10_100)
        // 10 120 ms is the 253rd cycle.
        #expect(release(.down, at: 10_101, busyUntil: 10_000) == 10_120)
        #expect(release(.down, at: 10_123, busyUntil: 10_000) == 10_123)
        #expect(release(.down, at: 10_124, busyUntil: 10_000) == 10_160)
    }

    @Test func `a radio that was off comes back from its deepest rest`() {
        var clock = RadioClock(Self.plan)
        let ready = clock.release(.up, busyUntil: 0, isFree: true, atNanoseconds: 0)
        clock.switchOff()
        #expect(
            clock.release(.up, busyUntil: ready, isFree: true, atNanoseconds: ready + 10)
                == ready + 10 + 260_000_000)
    }

    // MARK: On a link

    @Test func `a link that is held sends what comes only then, and at its rate`() {
        for queue in [
            BottleneckPlan.Queue.dropTail(limit: ByteCount(10_000)),
            .disciplined(.coDel(CoDel.Options()), limit: ByteCount(10_000)),
        ] {
            var link = LinkDirection(
                LinkPlan(
                    name: "uplink", filters: [], delay: .milliseconds(5),
                    bottleneck: BottleneckPlan(
                        rate: Bitrate(bitsPerSecond: 8_000_000), queue: queue)),
                seed: 1)
            link.hold(untilNanoseconds: 260_000_000)
            var arrivals: [Instant] = []
            for _ in 0..<2 {
                if case .arrives(let arrival, _) = link.enqueue(1_000, at: .start) {
                    arrivals.append(arrival)
                }
            }
            while let left = link.depart() { arrivals.append(left.arrival) }
            #expect(arrivals.map(\.nanoseconds) == [266_000_000, 267_000_000], "\(queue)")
            #expect(link.busyUntil == 262_000_000)
        }
    }

    // MARK: Blocks that are sent again

    @Test func `each sending of a block fails with its chance`() throws {
        let chance = try #require(Probability(percent: 10))
        var stage = BlockRepetition(
            options: .init(chance: chance, by: .milliseconds(8)),
            random: RandomStream(seed: 3, name: "uplink/harq"))
        var counts: [Int64: Int] = [:]
        for _ in 0..<100_000 {
            if case .delay(let span) = stage.accept() {
                counts[span.nanoseconds / 8_000_000, default: 0] += 1
            }
        }
        // Four standard deviations of the binomial distribution.
        for (failures, expected) in [(1, 9_000.0), (2, 900), (3, 90)] {
            let count = Double(counts[Int64(failures)] ?? 0)
            #expect(abs(count - expected) < 4 * expected.squareRoot(), "\(failures): \(count)")
        }
    }

    @Test func `a block that always fails gets through in the end`() {
        var stage = BlockRepetition(
            options: .init(chance: .always, by: .milliseconds(8)),
            random: RandomStream(seed: 3, name: "uplink/harq"))
        #expect(stage.accept() == .delay(.milliseconds(64)))
    }

    // MARK: Changes of the cell

    /// A link of 1 kB in 1 ms whose cell changes every 100 ms, with a gap of the last 10.
    private func link(forwards: Bool) throws -> LinkDirection {
        let cells = try #require(
            CellChanges(every: .milliseconds(100), gap: .milliseconds(10), forwards: forwards))
        let schedule = try #require(cells.schedule(of: Bitrate(bitsPerSecond: 8_000_000)))
        return LinkDirection(
            LinkPlan(
                name: "uplink", filters: [], delay: .zero,
                bottleneck: BottleneckPlan(
                    schedule: .steps(schedule), queue: .dropTail(limit: ByteCount(100_000))),
                cells: cells), seed: 1)
    }

    /// Sends ten packets, and returns when they arrive in milliseconds.
    private func arrivals(
        of link: inout LinkDirection, sentAt milliseconds: Int64
    ) -> [UInt64?] {
        (0..<10).map { _ in
            let passage = link.enqueue(1_000, at: .start + .milliseconds(milliseconds))
            guard case .arrives(let arrival, _) = passage else { return nil }
            return arrival.nanoseconds / 1_000_000
        }
    }

    @Test func `a cell that forwards sends what waits after the gap`() throws {
        var link = try link(forwards: true)
        #expect(
            arrivals(of: &link, sentAt: 86) == [87, 88, 89, 90, 101, 102, 103, 104, 105, 106])
    }

    @Test
    func `a cell that does not forward loses what waits, and what comes later passes`() throws {
        var link = try link(forwards: false)
        #expect(
            arrivals(of: &link, sentAt: 86) == [87, 88, 89, 90, nil, nil, nil, nil, nil, nil])
        #expect(arrivals(of: &link, sentAt: 95).first == 101)
        // A radio holds back what comes to the next new cell, too.
        link.hold(untilNanoseconds: 230_000_000)
        #expect(arrivals(of: &link, sentAt: 205).first == 231)
    }

    @Test func `no cell lasts for less than its gap`() {
        #expect(CellChanges(every: .seconds(1), gap: .seconds(1), forwards: true) == nil)
    }
}
