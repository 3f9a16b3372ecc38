import Quantities
import Testing

@testable import LinkModels

@Suite struct PIETests {
    @Test func `an overloaded queue settles at the target, and loses what is too much`() {
        let bench = QueueBench(.pie(.init()), limit: 10_000_000)
        // A quarter more than the line carries, for a minute.
        let packets = 50_000
        for number in 0..<packets {
            bench.offer(at: .start + .microseconds(1_200 * Int64(number)))
        }
        let late = bench.order.dropFirst(bench.order.count / 2).compactMap { bench.waits[$0] }
        let mean = late.reduce(0) { $0 + $1.seconds } / Double(late.count)
        #expect(abs(mean - 0.015) < 0.005, "\(mean)")
        let loss = Double(bench.dropped.count) / Double(packets)
        #expect(abs(loss - 0.2) < 0.02, "\(loss)")
    }

    @Test func `a burst within the allowance loses nothing`() {
        let bench = QueueBench(.pie(.init()), limit: 10_000_000)
        for _ in 0..<60 { bench.offer(at: .start) }
        bench.play(until: .start + .seconds(1))
        #expect(bench.dropped.isEmpty)
    }

    @Test(arguments: [0, 7, 2_000, 40_000] as [Int64], [1, 20, 60, 200])
    func `what a silence did to the chance does not hang on how often somebody looked`(
        microsecondsMore: Int64, packets: Int
    ) {
        // A queue that stands before a dead line, and is looked at once, or every 15 ms.
        func chance(lookingEvery period: TimeSpan) -> (Int64, Int64) {
            var pie = PIE(PIE.Options(), random: RandomStream(seed: 7, name: "pie"))
            let waiting = UInt64(packets * 1_500)
            let packet = WaitingPacket(
                place: 0, size: 1_500, flow: FlowLabel(), enqueuedAt: 0, way: .zero)
            let delay = 1_500_000 * UInt64(packets) + 1_000 * UInt64(microsecondsMore)
            pie.left(packet, at: delay, waiting: waiting)
            let begin = pie.chance
            var now = delay
            let end = delay + 60_000_000_000
            while now < end {
                now = min(end, now + period.nanoseconds.magnitude)
                _ = pie.judge(packet, at: now, waiting: waiting)
            }
            return (begin, pie.chance)
        }
        let often = chance(lookingEvery: .milliseconds(15))
        let once = chance(lookingEvery: .seconds(60))
        #expect(often == once)
    }

    @Test func `a silence of a year is over at once, and a wait of a day does no harm`() {
        let bench = QueueBench(.pie(.init()), limit: 10_000_000)
        for number in 0..<5_000 as Range<Int64> {
            bench.offer(at: .start + .microseconds(1_200 * number))
        }
        bench.offer(at: .start + .seconds(31_536_000))
        bench.play(until: .start + .seconds(31_536_001))
        #expect(bench.waits[5_000] == .zero)
        var pie = PIE(PIE.Options(), random: RandomStream(seed: 7, name: "pie"))
        let old = WaitingPacket(place: 0, size: 1_500, flow: FlowLabel(), enqueuedAt: 0, way: .zero)
        pie.left(old, at: 86_400_000_000_000, waiting: 1_500_000)
        _ = pie.judge(old, at: 172_800_000_000_000, waiting: 1_500_000)
        #expect(pie.chance == 1 << 53)
    }

    @Test func `the chance moves by the control law of RFC 8033 §4.2`() {
        var pie = PIE(PIE.Options(), random: RandomStream(seed: 7, name: "pie"))
        // Delays of a row of packets, one every 15 ms, in milliseconds.
        let delays: [Int64] = [40, 60, 60, 90, 30, 10, 200, 200, 20, 20]
        var (chance, before) = (0.0, 0.0)
        for (step, delay) in delays.enumerated() {
            let now = UInt64(15_000_000 * (step + 100))
            let waiting = WaitingPacket(
                place: 0, size: 1_500, flow: FlowLabel(),
                enqueuedAt: now - UInt64(delay * 1_000_000), way: .zero)
            // What left in this period is what the next update sees.
            pie.left(waiting, at: now, waiting: 100_000)
            _ = pie.judge(waiting, at: now + 15_000_000, waiting: 100_000)
            let seconds = Double(delay) / 1_000
            let scale: Double =
                switch chance {
                case ..<0.000_001: 2_048
                case ..<0.000_01: 512
                case ..<0.000_1: 128
                case ..<0.001: 32
                case ..<0.01: 8
                case ..<0.1: 2
                default: 1
                }
            chance += (0.125 * (seconds - 0.015) + 1.25 * (seconds - before)) / scale
            chance = max(0, chance)
            before = seconds
            #expect(abs(Double(pie.chance) / 0x1p53 - chance) < 1e-9, "step \(step)")
        }
    }

    @Test func `it marks what can be marked below a tenth, and drops it above (§5.1)`() {
        var options = PIE.Options()
        options.marks = true
        var pie = PIE(options, random: RandomStream(seed: 7, name: "pie"))
        var verdicts: [Bool: Set<ArrivalVerdict>] = [:]
        for step in 0..<20_000 as Range<UInt64> {
            let now = 1_000_000_000 + 1_000_000 * step
            let packet = WaitingPacket(
                place: 0, size: 1_500, flow: FlowLabel(), marking: .classic,
                enqueuedAt: now - 40_000_000, way: .zero)
            pie.left(packet, at: now, waiting: 100_000)
            let verdict = pie.judge(packet, at: now, waiting: 100_000)
            verdicts[pie.chance < (1 << 53) / 10, default: []].insert(verdict)
        }
        #expect(verdicts == [true: [.join, .mark], false: [.join, .drop]])
    }
}
