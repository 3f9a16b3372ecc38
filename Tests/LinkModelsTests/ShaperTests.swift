import LinkModels
import Quantities
import Testing

/// A shaper of 800 kbit/s, ten microseconds a byte, with bursts of 3 kB, on a line of a byte a
/// microsecond.
@Suite struct ShaperTests {
    private static let bucket = TokenBucket.Options(
        rate: Bitrate(bitsPerSecond: 800_000), burst: ByteCount(3_000))

    private static func link(queue: UInt64 = 100_000) -> LinkPlan {
        var plan = LinkPlan.filtered([])
        plan.bottleneck = BottleneckPlan(
            schedule: .shaped(Shaper(line: Bitrate(bitsPerSecond: 8_000_000), bucket: bucket)),
            queue: .dropTail(limit: ByteCount(queue)))
        return plan
    }

    @Test func `a burst leaves at the line's rate, and the rest waits for its tokens`() {
        // Three thousand tokens, then a thousand every 10 ms; 300 come while the first are sent.
        let sizes = [1_000, 1_000, 1_000, 1_000, 1_000]
        #expect(arrivals(of: sizes) == [11_000, 12_000, 13_000, 21_000, 31_000])
    }

    @Test func `a packet that waits for tokens does not let others pass without`() {
        let sizes = [1_000, 1_000, 1_000, 1_500, 100]
        // The 1500 bytes have their tokens at 15 ms; the 100 have theirs when those are sent.
        #expect(arrivals(of: sizes) == [11_000, 12_000, 13_000, 26_500, 26_600])
    }

    @Test func `a queue swept out gives the tokens of its packets back`() {
        var link = LinkDirection(Self.link(), seed: 1)
        // The last three would be sent at 10, 20 and 30 ms.
        for _ in 0..<6 { _ = link.enqueue(1_000, at: .start) }
        let swept = Instant.start + .milliseconds(15)
        link.clear(at: swept)
        // The packet at the head, which waited for its tokens, is gone with them.
        let passage = link.enqueue(1_000, at: swept)
        #expect(passage == .arrives(.start + .milliseconds(36)))
    }

    @Test func `a shaper passes its rate in the long run, and its limit bounds the wait`() {
        let limit = Shaper.limit(Self.bucket, latency: .milliseconds(100))
        // 10 kB are 100 ms at the rate, and a burst.
        #expect(limit == ByteCount(13_000))
        var link = LinkDirection(Self.link(queue: limit.bytes), seed: 1)
        var (passed, longest) = (0, TimeSpan.zero)
        for number in 0..<20_000 as Range<UInt64> {
            let now = Instant(nanoseconds: number * 1_000_000)
            guard case .arrives(let arrival, _) = link.enqueue(1_000, at: now) else { continue }
            passed += 1
            longest = max(longest, arrival - now - .milliseconds(11))
        }
        // 20 s at the rate are 2 MB; the queue and a burst are left over.
        #expect((2_000...2_017).contains(passed), "\(passed)")
        #expect((.milliseconds(125)...TimeSpan.milliseconds(141)).contains(longest), "\(longest)")
    }

    /// Returns the arrivals in microseconds of packets sent together.
    private func arrivals(of sizes: [Int]) -> [UInt64] {
        var link = LinkDirection(Self.link(), seed: 1)
        return sizes.map { size in
            let passage = link.enqueue(size, at: .start)
            guard case .arrives(let arrival, _) = passage else { return 0 }
            return arrival.nanoseconds / 1_000
        }
    }
}
