import Content
import LinkModels
import Quantities
import RunLog
import RunPlan
import Testing

@testable import Simulation

@Suite struct HyStartPlusPlusTests {
    /// Slow start doubles until it has overrun the queue by half a window; conservative slow start
    /// grows by a quarter, and what it overruns the queue by is that much smaller.
    @Test func `growing round trips soften the end of the first slow start`() {
        let hard = Self.dropped(under: .newReno)
        let soft = Self.dropped(under: .cubic)
        #expect(hard > 100)
        #expect(soft < hard / 2, "\(soft) instead of \(hard)")
    }

    @Test func `round trips that stay short leave slow start alone`() {
        var start = HyStartPlusPlus()
        for number in UInt64(0)..<1_000 {
            start.measured(20_000_000, unacknowledged: number, next: number + 20)
        }
        #expect(start.phase == .slowStart)
    }

    @Test func `a round that is slower by an eighth begins the conservative phase, five end it`() {
        var start = HyStartPlusPlus()
        var phases: [HyStartPlusPlus.Phase] = []
        for round in UInt64(0)..<9 {
            for sample in UInt64(0)..<10 {
                start.measured(
                    round < 2 ? 80_000_000 : 90_000_000, unacknowledged: 10 * round + sample,
                    next: 10 * round + sample + 10)
            }
            phases.append(start.phase)
        }
        #expect(
            phases == [.slowStart, .slowStart] + Array(repeating: .conservative, count: 6)
                + [.finished])
    }

    private static func dropped(under controller: TCPSettings.Controller) -> Int {
        let hosts = TwoHosts(
            .plain("uplink", megabits: 50, queue: 500_000), .plain("downlink", megabits: 50),
            tcp: TCPSettings(controller: controller, slowStart: .hystartPlusPlus))
        hosts.open(sending: [.content(.file(1, 4_000_000))])
        hosts.play()
        return hosts.packets.count { $0.kind == .dropped }
    }
}
