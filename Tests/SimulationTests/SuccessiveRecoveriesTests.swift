import RunPlan
import Testing

@testable import Simulation

/// A recovery that ends while something is missing is followed by the next.
@Suite struct SuccessiveRecoveriesTests {
    @Test func `an answer to what an earlier recovery sent again is no sign of a false alarm`() {
        var recovery = twoRecoveries(awaitsRepeated: true)
        // Stamps in answers: of what the first recovery sent again, and of an original.
        #expect(!recovery.alarm.isBelied(by: 60))
        #expect(recovery.alarm.isBelied(by: 40))
        #expect(recovery.alarm.takeBack() != nil)
        #expect(!recovery.alarm.isBelied(by: 40))
    }

    @Test func `what was sent before a recovery shows a false alarm if nothing is sent twice`() {
        let recovery = twoRecoveries(awaitsRepeated: false)
        #expect(recovery.alarm.isBelied(by: 60))
        #expect(!recovery.alarm.isBelied(by: 250))
    }

    @Test func `of a recovery that has been over for a while nothing is left`() {
        var recovery = twoRecoveries(awaitsRepeated: true)
        recovery.advance(to: 300)
        recovery.advance(to: 310)
        recovery.begin(
            until: 500, from: 310, controller: CongestionController(.newReno), sent: 0,
            delivered: 0, awaitsRepeated: true, repeatedOnWay: 0)
        recovery.alarm.repeats(at: 400)
        #expect(recovery.alarm.isBelied(by: 350))
    }

    /// The first sends something again at 50, the second at 200.
    private func twoRecoveries(awaitsRepeated: Bool) -> LossRecovery {
        let controller = CongestionController(.newReno)
        var recovery = LossRecovery()
        recovery.begin(
            until: 100, from: 0, controller: controller, sent: 0, delivered: 0,
            awaitsRepeated: false, repeatedOnWay: 0)
        recovery.alarm.repeats(at: 50)
        recovery.advance(to: 100)
        recovery.begin(
            until: 300, from: 100, controller: controller, sent: 0, delivered: 0,
            awaitsRepeated: awaitsRepeated, repeatedOnWay: 0)
        recovery.alarm.repeats(at: 200)
        return recovery
    }
}
