import LinkModels
import Quantities
import Testing

@Suite struct REDTests {
    private static let options = RED.Options(
        lower: ByteCount(30_000), upper: ByteCount(90_000), highest: .percent(10))

    @Test func `an overloaded queue is kept between the thresholds by early drops`() {
        let bench = QueueBench(.red(Self.options), limit: 10_000_000)
        // Five hundredths more than the line carries, for a minute and more.
        let packets = 50_000
        for number in 0..<packets {
            bench.offer(at: .start + .microseconds(1_428 * Int64(number)))
        }
        let late = bench.order.dropFirst(bench.order.count / 2).compactMap { bench.waits[$0] }
        let bytes = late.reduce(0) { $0 + $1.seconds } / Double(late.count) * 1_000_000
        // The chance rises with the length: where it loses as much as is too much. Even spacing
        // makes 1 / (1 / p) into 2 / (1 + 1 / p), so a loss of 4.8 % asks for p = 2.5 %.
        let expected = 30_000 + 60_000 * 0.025 / 0.1
        #expect(abs(bytes - expected) < 6_000, "\(bytes)")
        let loss = Double(bench.dropped.count) / Double(packets)
        #expect(abs(loss - 0.048) < 0.005, "\(loss)")
    }

    @Test func `a short queue loses nothing`() {
        let bench = QueueBench(.red(Self.options), limit: 10_000_000)
        for _ in 0..<60 { bench.offer(at: .start) }
        bench.play(until: .start + .seconds(1))
        #expect(bench.dropped.isEmpty)
    }
}
