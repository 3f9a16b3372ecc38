import Quantities
import Testing

@testable import LinkModels

@Suite struct CakeTests {
    /// One host has three flows, and another has one.
    @Test(arguments: [
        (sharesByHost: true, shares: [1, 1, 1, 3]), (false, [1, 1, 1, 1]),
    ])
    func `hosts share the line, and the flows of a host share what it gets`(
        sharesByHost: Bool, shares: [Int]
    ) {
        let served = Self.served(
            [FlowLabel(0), FlowLabel(1), FlowLabel(2), FlowLabel(3, host: 1)],
            sharesByHost: sharesByHost)
        let total = shares.reduce(0, +)
        for (count, share) in zip(served, shares) {
            let fair = Double(served.reduce(0, +) * share) / Double(total)
            #expect(abs(Double(count) / fair - 1) < 0.03, "\(served)")
        }
    }

    /// At 8 Mbit/s a turn is 300 bytes, of which each of 400 flows gets less than one.
    @Test(arguments: [50, 200, 400] as [UInt16])
    func `the parts of many flows add up to the share of their host`(count: UInt16) {
        var options = Cake.Options()
        options.control.target = .seconds(100)
        let bench = QueueBench(.cake(options), limit: 100_000_000)
        for number in 0..<32_000 {
            let isOther = number % 2 == 0
            bench.offer(
                flow: isOther ? count : UInt16(number / 2) % count, host: isOther ? 1 : 0,
                at: .start + .microseconds(375 * Int64(number)))
        }
        // At first the many are new, and go first. Later each of them sends one packet while the
        // other host sends as many as they are.
        let later = bench.order.suffix(4_000)
        let share = Double(later.count { $0 % 2 == 0 }) / 4_000
        #expect(abs(share - 0.5) < 0.03, "\(share)")
    }

    /// By a hash alone, two of a hundred flows would nearly always share a line of the 1,024.
    @Test func `a hundred flows have lines of their own`() {
        let served = Self.served((0..<100).map { FlowLabel($0) }, sharesByHost: true)
        let (least, most) = (served.min() ?? 0, served.max() ?? 0)
        #expect(least > 20 && most - least <= 3, "\(least) to \(most)")
    }

    @Test func `a sparse flow never waits for more than what is being sent`() {
        let bench = QueueBench(.cake(.init()), limit: 10_000_000)
        var sparse: [Int] = []
        for number in 0..<4_000 {
            let isSparse = number % 100 == 99
            if isSparse { sparse.append(number) }
            bench.offer(
                flow: isSparse ? 2 : 1, host: isSparse ? 1 : 0,
                at: .start + .microseconds(750 * Int64(number)))
        }
        bench.play(until: .start + .seconds(60))
        #expect(sparse.allSatisfy { (bench.waits[$0] ?? .seconds(1)) <= .microseconds(1_500) })
    }

    /// A flow that offers four times the rate of the line, and does not slow down.
    @Test func `who floods the line fills its queue for a second or two, and then no more`() {
        let limit: UInt64 = 60_000
        let flooded = [DisciplinePlan.cake(.init()), .fairQueueCoDel(.init())].map { plan in
            let bench = QueueBench(plan, limit: limit)
            for number in 0..<26_000 {
                bench.offer(flow: 1, at: .start + .microseconds(375 * Int64(number)))
            }
            return [0, 1, 2, 3].map { second in
                bench.meanWait(of: 2_666 * second..<2_666 * (second + 1))
            }
        }
        // 60 kB come within 15 ms, and the oldest are dropped for them.
        #expect(flooded[1].allSatisfy { $0 > 0.014 }, "\(flooded[1])")
        #expect(flooded[0][0] > 0.014, "\(flooded[0])")
        #expect(flooded[0][2...].allSatisfy { $0 < 0.005 }, "\(flooded[0])")
    }

    /// Returns how many packets of each flow leave while all of them have more to send. Flows come
    /// to the line in rounds, at four times its rate.
    private static func served(_ flows: [FlowLabel], sharesByHost: Bool) -> [Int] {
        var options = Cake.Options()
        options.sharesByHost = sharesByHost
        // Drops would thin out the lines of some sooner than those of others.
        options.control.target = .seconds(100)
        let bench = QueueBench(.cake(options), limit: 100_000_000)
        let packets = 12_000
        for number in 0..<packets {
            let flow = flows[number % flows.count]
            bench.offer(
                flow: flow.number, host: flow.host,
                at: .start + .microseconds(375 * Int64(number)))
        }
        return flows.indices.map { index in
            bench.order.count { $0 % flows.count == index }
        }
    }
}

extension QueueBench {
    /// The mean wait of those of these packets that got through, in seconds.
    fileprivate func meanWait(of packets: Range<Int>) -> Double {
        let waits = packets.compactMap { self.waits[$0]?.seconds }
        return waits.isEmpty ? 0 : waits.reduce(0, +) / Double(waits.count)
    }
}

@Suite struct CobaltTests {
    private static let packetTime: UInt64 = 1_000_000

    private var control = Cobalt(.init(), packetTime: packetTime)
    private var random = RandomStream(seed: 1, name: "cobalt")

    /// Judges a packet each millisecond that has waited so long, and returns when any was dropped.
    private mutating func drops(
        from begin: UInt64, to end: UInt64, wait: UInt64, marking: Marking = .none
    ) -> [UInt64] {
        (begin..<end).filter { milliseconds in
            let now = milliseconds * 1_000_000
            let packet = WaitingPacket(
                place: 0, size: 1_500, flow: FlowLabel(), marking: marking,
                enqueuedAt: now - wait * 1_000_000, way: .zero)
            let verdict = control.judge(packet, busyFlows: 1, at: now, &random)
            return verdict == (marking == .none ? .drop : .mark)
        }
    }

    @Test mutating func `in a standing queue the n-th drop follows after an interval / √n`() {
        let drops = drops(from: 1_000, to: 3_000, wait: 50)
        var moment = 1_100.0
        var expected: [Double] = []
        while moment < 3_000 {
            expected.append(moment)
            moment += 100 / Double(expected.count + 1).squareRoot()
        }
        #expect(drops.count == expected.count && drops.count > 60)
        for (drop, moment) in zip(drops, expected) {
            #expect(abs(Double(drop) - moment) <= 1, "\(drop), not \(moment)")
        }
    }

    @Test mutating func `a packet that can be marked is not dropped`() {
        let dropped = drops(from: 1_000, to: 1_500, wait: 50)
        control = Cobalt(.init(), packetTime: Self.packetTime)
        let marked = drops(from: 1_000, to: 1_500, wait: 50, marking: .classic)
        #expect(marked == dropped && dropped.count > 5)
    }

    /// CoDel alone begins with one drop in each interval again.
    @Test mutating func `after a short pause, drops are nearly as frequent as before`() {
        let before = drops(from: 1_000, to: 3_000, wait: 50).count { $0 >= 2_800 }
        #expect(drops(from: 3_000, to: 3_100, wait: 1).isEmpty)
        let after = drops(from: 3_100, to: 3_300, wait: 50).count
        #expect(after >= before / 2 && before >= 10, "\(before), then \(after)")
    }

    @Test mutating func `after a long pause, it all begins again`() {
        _ = drops(from: 1_000, to: 3_000, wait: 50)
        #expect(drops(from: 3_000, to: 13_000, wait: 1).isEmpty)
        #expect(control.isAtRest(at: 13_200_000_000))
        #expect(drops(from: 13_000, to: 13_150, wait: 50).count <= 1)
    }

    @Test(arguments: [(wait: UInt64(4), busy: UInt64(1)), (19, 10)])
    mutating func `what is short, or due to the turns of many flows, is no standing queue`(
        wait: UInt64, busy: UInt64
    ) {
        for milliseconds in UInt64(1_000)..<2_000 {
            let now = milliseconds * 1_000_000
            let packet = WaitingPacket(
                place: 0, size: 1_500, flow: FlowLabel(), enqueuedAt: now - wait * 1_000_000,
                way: .zero)
            #expect(control.judge(packet, busyFlows: busy, at: now, &random) == .pass)
        }
    }

    @Test mutating func `each overflow makes a drop likelier by a 256th, at most every target`() {
        for step in UInt64(1)...1_000 {
            control.overflowed(at: step * 1_000_000)
        }
        // A thousand milliseconds have room for 166 steps of a little over 5 ms.
        #expect((160...200).contains(control.chance / 16), "\(control.chance)")
        for step in UInt64(1_001)...2_000 { control.stoodEmpty(at: step * 1_000_000) }
        #expect(control.chance > 2_400, "an empty line forgets a sixteenth as fast")
    }
}
