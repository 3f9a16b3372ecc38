import Foundation
import Quantities
import Testing

@testable import LinkModels

@Suite struct JitterTests {
    @Test func `a uniform jitter is anything up to its limit, each as likely`() {
        let spans = milliseconds(.uniform(.milliseconds(10)))
        #expect(abs(mean(spans) - 5) < 0.05)
        #expect(abs(deviation(spans) - 10 / 12.squareRoot()) < 0.05)
        #expect(spans.allSatisfy { (0...10).contains($0) })
    }

    @Test func `a normal jitter has its mean and its deviation, and the quantiles of the bell`() {
        let spans = milliseconds(.normal(mean: .milliseconds(50), deviation: .milliseconds(10)))
        #expect(abs(mean(spans) - 50) < 0.15)
        #expect(abs(deviation(spans) - 10) < 0.15)
        for sigmas in [-2.0, -1, 0, 0.5, 1, 2] {
            let share = Double(spans.count { $0 < 50 + 10 * sigmas }) / Double(spans.count)
            #expect(
                abs(share - erfc(-sigmas / 2.0.squareRoot()) / 2) < 0.004, "\(sigmas): \(share)")
        }
    }

    @Test func `a normal jitter is never less than nothing`() {
        let spans = milliseconds(.normal(mean: .milliseconds(5), deviation: .milliseconds(10)))
        #expect(spans.allSatisfy { $0 >= 0 })
        #expect(spans.contains(0))
    }

    @Test func `a Pareto jitter has its mean, and its tail falls with the third power`() {
        let spans = milliseconds(.pareto(mean: .milliseconds(10)))
        #expect(abs(mean(spans) - 10) < 0.2, "\(mean(spans))")
        for excess in [1.0, 20, 60] {
            let share = Double(spans.count { $0 > excess }) / Double(spans.count)
            let expected = pow(1 + excess / 20, -3)
            #expect(abs(share - expected) < 0.02 * expected + 0.001, "\(excess): \(share)")
        }
    }

    @Test func `the tables are the quantiles of their distributions`() {
        for (index, entry) in QuantileTable.normal.dropLast().enumerated() {
            let upper = erfc(-Double(entry) / 65_536 / 2.0.squareRoot()) / 2
            #expect(abs(upper - (0.5 + Double(index) / 512)) < 1e-5, "entry \(index)")
        }
        for (index, entry) in QuantileTable.pareto.dropLast().enumerated() {
            let quantile = pow(1 - Double(index) / 256, -1.0 / 3) - 1
            #expect(abs(Double(entry) / 65_536 - quantile) < 1e-5, "entry \(index)")
        }
    }

    @Test
    func `packets keep their order and their distance, and none is later than the longest way`() {
        var link = LinkDirection(.filtered([.jitter(.uniform(.milliseconds(20)))]), seed: 7)
        var latest: UInt64 = 0
        var waited = 0
        for number in 0..<10_000 as Range<UInt64> {
            let sent = Instant(nanoseconds: number * 1_200_000)
            guard case .arrives(let arrival, _) = link.enqueue(1_000, at: sent) else { continue }
            #expect(arrival.nanoseconds >= latest + 1_000_000)
            if arrival.nanoseconds == latest + 1_000_000 { waited += 1 }
            let way = arrival - sent
            #expect(way >= .milliseconds(11) && way <= .milliseconds(31))
            latest = arrival.nanoseconds
        }
        #expect(waited > 1_000)
    }

    private func milliseconds(_ distribution: Jitter.Distribution) -> [Double] {
        let random = RandomStream(seed: 7, name: "uplink/jitter")
        var stage = Jitter(distribution: distribution, random: random)
        return (0..<200_000).map { _ in
            guard case .delay(let span) = stage.accept() else { return -1 }
            return span.seconds * 1_000
        }
    }

    private func mean(_ values: [Double]) -> Double {
        values.reduce(0, +) / Double(values.count)
    }

    private func deviation(_ values: [Double]) -> Double {
        let centre = mean(values)
        return mean(values.map { ($0 - centre) * ($0 - centre) }).squareRoot()
    }
}
