import LinkModels
import Quantities
import Testing

@Suite struct PIETests {
    @Test func `an overloaded queue settles at the target, and loses what is too much`() {
        let bench = QueueBench(.pie(target: .milliseconds(15)), limit: 10_000_000)
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
        let bench = QueueBench(.pie(target: .milliseconds(15)), limit: 10_000_000)
        for _ in 0..<60 { bench.offer(at: .start) }
        bench.play(until: .start + .seconds(1))
        #expect(bench.dropped.isEmpty)
    }
}
