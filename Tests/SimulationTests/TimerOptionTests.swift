import Content
import LinkModels
import Quantities
import RunLog
import RunPlan
import Testing

@testable import Simulation

@Suite struct TimerOptionTests {
    @Test func `with a minimum the timeout is what RFC 6298 says, but never less`() {
        var timer = RetransmissionTimer(minimum: .seconds(1))
        for _ in 0..<100 { timer.measure(40_000_000, acknowledged: 2, next: 1) }
        #expect(timer.timeout == 1_000_000_000)
        var short = RetransmissionTimer(minimum: .milliseconds(1))
        for _ in 0..<100 { short.measure(40_000_000, acknowledged: 2, next: 1) }
        #expect(short.timeout == 41_000_000)
        var long = RetransmissionTimer(minimum: .seconds(1))
        long.measure(600_000_000, acknowledged: 2, next: 1)
        #expect(long.timeout == 1_800_000_000)
    }
}
