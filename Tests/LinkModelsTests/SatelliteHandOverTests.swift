import LinkModels
import Quantities
import Testing

@Suite struct SatelliteHandOverTests {
    private static let options = SatelliteHandOver.Options(
        every: .seconds(15), outage: .milliseconds(60), longestDetour: .milliseconds(20))

    @Test func `what is sent when a turn begins is lost, and nothing else`() {
        let plan = LinkPlan.filtered([.satelliteHandOver(Self.options)])
        var link = LinkDirection(plan, seed: 7)
        for turn in 0..<20 as Range<UInt64> {
            for (offset, isLost) in [(0, true), (59_999_999, true), (60_000_000, false)] {
                let sent = Instant(nanoseconds: turn * 15_000_000_000 + UInt64(offset))
                let isDropped = link.enqueue(100, at: sent) == .dropped(.lost)
                // No turn ends where the first one begins.
                #expect(isDropped == (isLost && turn > 0))
            }
        }
    }

    @Test func `each turn has a way of its own, and packets keep their order`() {
        let plan = LinkPlan.filtered([.satelliteHandOver(Self.options)])
        #expect(plan.keepsOrder && plan.keepsDistance)
        var link = LinkDirection(plan, seed: 7)
        var ways: [TimeSpan] = []
        var latest = Instant.start
        for step in 0..<400_000 as Range<UInt64> {
            let sent = Instant(nanoseconds: step * 10_000_000)
            guard case .arrives(let arrival, _) = link.enqueue(1_000, at: sent) else { continue }
            if arrival < latest + .milliseconds(1), step > 0 { Issue.record("too close: \(step)") }
            latest = arrival
            // In the middle of a turn nothing waits for packets with a longer way.
            if step % 1_500 == 750 { ways.append(arrival - sent - .milliseconds(11)) }
        }
        #expect(Set(ways).count == ways.count && ways.count == 267)
        #expect(ways.allSatisfy { (.zero...TimeSpan.milliseconds(20)).contains($0) })
        let mean = ways.reduce(0) { $0 + $1.seconds } / Double(ways.count)
        #expect(abs(mean - 0.010) < 0.001, "\(mean)")
    }
}
