import LinkModels
import Quantities
import Testing

@Suite struct CoDelTests {
    @Test func `a queue that stands loses its n-th packet an interval by the root of n later`() {
        let bench = QueueBench(.coDel(.init()), limit: 10_000_000)
        // Twice the rate of the line for two seconds.
        for number in 0..<2_666 as Range<Int64> {
            bench.offer(at: .start + .microseconds(750 * number))
        }
        let moments = bench.dropped.values.sorted()
        // Above 5 ms from the fourth departure on, and 100 ms later it begins.
        #expect(moments.count > 20)
        #expect(abs((moments[0] - .start).seconds - 0.11) < 0.004, "\(moments[0])")
        var expected = moments[0]
        for (count, moment) in moments.dropFirst().enumerated() {
            expected = expected + TimeSpan(nanoseconds: Int64(1e8 / Double(count + 1).squareRoot()))
            let late = moment - expected
            // It falls at the departure that follows.
            #expect(late >= .zero && late <= .microseconds(1_500), "drop \(count + 2): \(late)")
        }
    }

    @Test func `a burst that drains within an interval loses nothing`() {
        let bench = QueueBench(.coDel(.init()), limit: 10_000_000)
        for _ in 0..<60 { bench.offer(at: .start) }
        bench.play(until: .start + .seconds(1))
        #expect(bench.dropped.isEmpty)
        #expect(bench.order == Array(0..<60))
    }

    @Test func `the limit holds all the same`() {
        let bench = QueueBench(.coDel(.init()), limit: 15_000)
        for _ in 0..<20 { bench.offer(at: .start) }
        // One is being sent, ten wait.
        #expect(bench.dropped.keys.sorted() == Array(11..<20))
    }
}
