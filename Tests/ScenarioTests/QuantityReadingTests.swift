import LinkModels
import Quantities
import RunPlan
import Scenario
import Testing

/// Quantities are exact: they never pass through a binary fraction.
@Suite struct QuantityReadingTests {
    @Test(
        arguments: [
            ("0 B", 0), ("1 B", 1), ("1.5 MB", 1_500_000), ("1.500000 MB", 1_500_000),
            ("0.001 kB", 1), ("4.35 GB", 4_350_000_000), ("1.1 KiB", nil), ("1.5 KiB", 1_536),
            ("2 MiB", 2_097_152), ("1 GiB", 1_073_741_824), ("1000 TB", 1_000_000_000_000_000),
            ("999.999999999999 TB", 999_999_999_999_999), ("8MB", 8_000_000), ("8   MB", 8_000_000),
            ("0.9999 kB", nil), ("1000.000000000001 TB", nil),
        ] as [(String, UInt64?)])
    func `a size is read to the byte`(words: String, bytes: UInt64?) {
        let text = ValidScenario.text(with: 10, replacedBy: "  video.mov: \(words)")
        let size = try? Scenario.read(text: text, path: "x.yaml").files.first?.size
        #expect(size == bytes.map(ByteCount.init))
    }

    @Test(
        arguments: [
            ("1 ns", 1), ("1.001 µs", 1_001), ("1.001 us", 1_001), ("0.1 ms", 100_000),
            ("2.7 s", 2_700_000_000), ("1.5 min", 90_000_000_000), ("0.1 h", 360_000_000_000),
            ("3600.000000001 s", 3_600_000_000_001), ("10000 h", 36_000_000_000_000_000),
            ("0.0001 µs", nil),
        ] as [(String, Int64?)])
    func `a time is read to the nanosecond`(words: String, nanoseconds: Int64?) {
        let text = ValidScenario.text(with: 14, replacedBy: "limit: \(words)")
            .split(separator: "\n").filter { !$0.contains(" s: ") && !$0.contains("timeline") }
            .filter { !$0.contains("within") }.joined(separator: "\n")
        let limit = try? Scenario.read(text: text, path: "x.yaml").limit
        #expect(limit == nanoseconds.map(TimeSpan.init(nanoseconds:)))
    }

    @Test(
        arguments: [
            ("1 bit/s", 1), ("0.3 kbit/s", 300), ("14.4 kbit/s", 14_400), ("1.1 Mbit/s", 1_100_000),
            ("2.5 Gbit/s", 2_500_000_000), ("1000 Gbit/s", 1_000_000_000_000), ("0.5 bit/s", nil),
        ] as [(String, UInt64?)])
    func `a rate is read to the bit per second`(words: String, bitsPerSecond: UInt64?) {
        let text = ValidScenario.text(
            with: 8, replacedBy: "  downlink: { rate: \(words), delay: 20 ms }")
        let rate = try? Scenario.read(text: text, path: "x.yaml").downlink.bottleneck.rate
        #expect(rate == bitsPerSecond.map(Bitrate.init(bitsPerSecond:)))
    }

    @Test(
        arguments: [
            ("0 %", 0), ("100 %", 1 << 53), ("50%", 1 << 52), ("12.5 %", 1 << 50),
            ("100.000001 %", nil),
        ] as [(String, UInt64?)])
    func `a percentage is a probability`(words: String, threshold: UInt64?) {
        let text = ValidScenario.text(
            with: 8, replacedBy: "  downlink: { rate: 1 Mbit/s, delay: 20 ms, loss: \(words) }")
        let filters = try? Scenario.read(text: text, path: "x.yaml").downlink.filters
        let thresholds = filters?.compactMap { filter in
            if case .independentLoss(let probability) = filter {
                probability.threshold
            } else {
                nil
            }
        }
        #expect(thresholds == threshold.map { [$0] })
    }

    @Test(
        arguments: [
            ("33 packets", 49_500), ("1 packet", 1_500), ("1500 B", 1_500), ("64 KiB", 65_536),
            ("0 packets", nil), ("33 or so packets", nil), ("18446744073709551615 packets", nil),
        ] as [(String, UInt64?)])
    func `the limit of a queue is in bytes or in full packets`(words: String, bytes: UInt64?) {
        let text = ValidScenario.text(
            with: 8, replacedBy: "  downlink: { rate: 1 Mbit/s, delay: 20 ms, queue: \(words) }")
        let queue = try? Scenario.read(text: text, path: "x.yaml").downlink.bottleneck.queue
        #expect(queue == bytes.map { .dropTail(limit: ByteCount($0)) })
    }
}
