import LinkModels
import Quantities
import Testing

@Suite struct TrafficSourceTests {
    /// 12 Mbit/s: a full packet every millisecond.
    private static let rate = Bitrate(bitsPerSecond: 12_000_000)

    @Test func `a constant stream comes at even distances, from its begin to before its end`() {
        var source = source(
            .init(rate: Self.rate, from: .milliseconds(10), until: .milliseconds(13)))
        let moments = (0..<4).map { _ in source.next() }
        let expected = [10, 11, 12].map { Instant.start + .milliseconds($0) }
        #expect(moments == expected + [nil])
    }

    @Test func `rounding does not add up`() {
        // A packet takes 12/7 ms.
        var source = source(.init(rate: Bitrate(bitsPerSecond: 7_000_000)))
        var latest: Instant?
        for _ in 0...7_000 { latest = source.next() }
        #expect(latest == .start + .seconds(12))
    }

    @Test func `fixed bursts come and go on time`() {
        var source = source(
            .init(
                rate: Self.rate, from: .seconds(1),
                bursts: .init(on: .milliseconds(3), off: .milliseconds(7))))
        let moments = (0..<7).map { _ in source.next() }
        let expected = [1_000, 1_001, 1_002, 1_010, 1_011, 1_012, 1_020]
            .map { Instant.start + .milliseconds($0) }
        #expect(moments == expected)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `exponential periods have their mean, and deviate as much as that`(seed: UInt64) {
        var source = TrafficSource(
            .init(
                rate: Self.rate,
                bursts: .init(on: .seconds(2), off: .seconds(3), lengths: .exponential)),
            random: RandomStream(seed: seed, name: "uplink/cross-traffic"))
        var pauses: [Double] = []
        var bursts: [Double] = []
        var (before, begin) = (0.0, 0.0)
        while pauses.count < 5_000, let next = source.next() {
            let now = (next - .start).seconds
            // Pauses of a few packets are overlooked, and one in three hundred is so short.
            if now - before > 0.0101 {
                pauses.append(now - before)
                bursts.append(before - begin)
                begin = now
            }
            before = now
        }
        for (lengths, mean) in [(pauses, 3.0), (bursts, 2.0)] {
            let seen = lengths.reduce(0, +) / 5_000
            let variance = lengths.reduce(0) { $0 + ($1 - seen) * ($1 - seen) } / 5_000
            // Four deviations of the mean of so many, and the overlooked.
            #expect(abs(seen / mean - 1) < 0.065, "\(seen)")
            #expect(abs(variance.squareRoot() / mean - 1) < 0.1, "\(variance)")
        }
    }

    private func source(_ plan: TrafficSource.Plan) -> TrafficSource {
        TrafficSource(plan, random: RandomStream(seed: 7, name: "uplink/cross-traffic"))
    }
}
