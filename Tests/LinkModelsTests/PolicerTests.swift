import LinkModels
import Quantities
import Testing

@Suite struct PolicerTests {
    /// 800 kbit/s: a tenth of a byte a microsecond, and four full packets at once.
    private static let bucket = TokenBucket.Options(
        rate: Bitrate(bitsPerSecond: 800_000), burst: ByteCount(6_000))

    @Test func `a burst passes, then only what the rate has filled again, to the nanosecond`() {
        let burst = [(size: Int, at: UInt64)](repeating: (1_500, 0), count: 5)
        let later: [(size: Int, at: UInt64)] = [
            (1_500, 14_999_999), (1_500, 15_000_000), (1_500, 16_000_000), (100, 16_000_000),
        ]
        // A dropped packet has taken no token: the small one still passes.
        #expect(
            passed(burst + later) == [true, true, true, true, false, false, true, false, true])
    }

    @Test func `a bucket that was left alone holds no more than its burst`() {
        let packets = [(size: Int, at: UInt64)](repeating: (1_500, 3_600_000_000_000), count: 10)
        #expect(passed(packets).count { $0 } == 4)
    }

    @Test(arguments: [2, 3, 10]) func `what passes of too much is the rate, and the burst once`(
        surplus: UInt64
    ) {
        // In ten seconds the rate fills a million bytes.
        let count = surplus * 1_000_000 / 1_500
        let interval = 10_000_000_000 / count
        let bytes = passed((0..<count).map { (1_500, $0 * interval) }).count { $0 } * 1_500
        #expect((1_003_000...1_006_000).contains(bytes), "\(bytes)")
    }

    /// Returns which packets, sent at moments in nanoseconds, the policer lets through.
    private func passed(_ packets: [(size: Int, at: UInt64)]) -> [Bool] {
        var link = LinkDirection(.filtered([.policer(Self.bucket)]), seed: 1)
        return packets.map { packet in
            let passage = link.enqueue(packet.size, at: Instant(nanoseconds: packet.at))
            return passage != .dropped(.policed)
        }
    }
}
