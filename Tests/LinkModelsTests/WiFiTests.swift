import LinkModels
import Quantities
import Testing

@Suite struct WiFiTests {
    /// A packet of 1500 bytes, 1542 with its framing, takes 200 µs.
    private static let rate = Bitrate(bitsPerSecond: 61_680_000)
    private static let size = 1_500

    @Test func `packets that wait together share one access, until the aggregate is full`() {
        let options = WiFi.Options(rates: [Self.rate], packets: 3)
        let ends = departures(options, sentAt: [0, 0, 0, 0, 0])
        let steps = zip(ends, ends.dropFirst()).map { $1 - $0 }
        #expect(steps[0] == 200_000 && steps[1] == 200_000 && steps[3] == 200_000)
        // SIFS, block ack, DIFS and preamble; then up to 15 slots.
        let access = steps[2] - 200_000
        #expect((122_000...257_000).contains(access) && (access - 122_000) % 9_000 == 0)
        let first = ends[0] - 200_000
        #expect((74_000...209_000).contains(first) && (first - 74_000) % 9_000 == 0)
    }

    @Test func `an aggregate ends with its bytes, and with the longest time on the air`() {
        let few = WiFi.Options(rates: [Self.rate], bytes: ByteCount(3_100))
        #expect(sizes(of: departures(few, sentAt: [UInt64](repeating: 0, count: 6))) == [2, 2, 2])
        // 27 packets of 200 µs are 5.4 ms; 28 would be more than 5.484 ms with their preamble.
        let slow = WiFi.Options(rates: [Self.rate])
        #expect(sizes(of: departures(slow, sentAt: [UInt64](repeating: 0, count: 54))) == [27, 27])
    }

    @Test func `a packet that comes when the access is over has to wait for its own`() {
        let options = WiFi.Options(rates: [Self.rate])
        // Contention takes 169 µs at most, and the first packet is on the air for 200 µs more.
        let ends = departures(options, sentAt: [0, 250_000])
        #expect(ends[1] - ends[0] >= 200_000 + 122_000)
    }

    /// The saturation throughput of the whole medium, which the stations share equally.
    @Test(arguments: [1, 2, 5, 10, 20, 50], [1, 27])
    func `saturated stations share the throughput that Bianchi's formula gives`(
        stations: Int, packets: Int
    ) {
        let options = WiFi.Options(rates: [Self.rate], stations: stations, packets: packets)
        let accesses = 30_000
        let ends = departures(
            options, sentAt: [UInt64](repeating: 0, count: accesses * packets))
        let bits = Double(accesses * packets * 1_500 * 8)
        let seen = Double(stations) * bits / Double(ends.last ?? 1) * 1_000
        let busy = 34.0 + 40 + Double(packets) * 200 + 16 + 32
        let theory = Self.saturation(
            stations: stations, busy: busy, payload: Double(packets * 1_500 * 8))
        #expect(abs(seen / theory - 1) < 0.03, "\(seen) Mbit/s, \(theory) Mbit/s")
    }

    @Test func `a rate that adapts spends equal times at all rates, and moves by one`() {
        let rates = [10, 20, 40, 80].map { Bitrate(bitsPerSecond: $0 * 1_542_000) }
        let chance = Probability.percent(30)
        let options = WiFi.Options(
            rates: rates, packets: 2, adaptation: .init(every: .milliseconds(10), chance: chance))
        // A pair each 10 ms; the second packet leaves after its own time at the pair's rate.
        let pairs = 40_000
        let moments = (0..<pairs as Range<Int>).flatMap { [UInt64($0), UInt64($0)] }
        let ends = departures(options, sentAt: moments.map { $0 * 10_000_000 })
        let times = (0..<pairs).map { ends[2 * $0 + 1] - ends[2 * $0] }
        let places = times.compactMap { [800_000, 400_000, 200_000, 100_000].firstIndex(of: $0) }
        #expect(places.count == pairs && places.first == 3)
        for place in 0..<4 {
            let share = Double(places.count { $0 == place }) / Double(pairs)
            #expect(abs(share - 0.25) < 0.03, "\(place): \(share)")
        }
        let moves = zip(places, places.dropFirst()).map { abs($0 - $1) }
        #expect(moves.allSatisfy { $0 <= 1 })
        // A move up from the top or down from the bottom is none: three quarters of 30 %.
        let moved = Double(moves.count { $0 == 1 }) / Double(pairs)
        #expect(abs(moved - 0.225) < 0.01, "\(moved)")
    }

    /// Bianchi 2000, equations 7, 9 and 13, with W = 16 and m = 6, in Mbit/s.
    private static func saturation(stations: Int, busy: Double, payload: Double) -> Double {
        func power(_ base: Double, _ count: Int) -> Double {
            (0..<count).reduce(1) { product, _ in product * base }
        }
        func attempt(_ p: Double) -> Double {
            // 1 + 2p + … + (2p)⁵, so that p = 1/2 is no exception.
            let sum = (0..<6).reduce(0.0) { $0 + power(2 * p, $1) }
            return 2 / (1 + 16 + p * 16 * sum)
        }
        var (low, high) = (0.0, 1.0)
        for _ in 0..<100 {
            let p = (low + high) / 2
            if 1 - power(1 - attempt(p), stations - 1) > p { low = p } else { high = p }
        }
        let chance = attempt(low)
        let idle = power(1 - chance, stations)
        let success = Double(stations) * chance * power(1 - chance, stations - 1)
        return success * payload / (idle * 9 + (1 - idle) * busy)
    }

    /// Returns when the last bit of each packet leaves, in nanoseconds.
    private func departures(_ options: WiFi.Options, sentAt moments: [UInt64]) -> [UInt64] {
        var plan = LinkPlan.filtered([])
        plan.delay = .zero
        plan.bottleneck = BottleneckPlan(
            schedule: .wifi(options), queue: .dropTail(limit: ByteCount(1 << 40)))
        var link = LinkDirection(plan, seed: 7)
        return moments.map { moment in
            let passage = link.enqueue(Self.size, at: Instant(nanoseconds: moment))
            guard case .arrives(let arrival, _) = passage else { return 0 }
            return arrival.nanoseconds
        }
    }

    /// Returns the sizes of the aggregates, whose packets are 200 µs apart.
    private func sizes(of ends: [UInt64]) -> [Int] {
        var sizes = [1]
        for (before, after) in zip(ends, ends.dropFirst()) {
            if after - before == 200_000 {
                sizes[sizes.count - 1] += 1
            } else {
                sizes.append(1)
            }
        }
        return sizes
    }
}
