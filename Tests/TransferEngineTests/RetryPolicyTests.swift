import Quantities
import Testing
import TransferEngine

/// Behaviour A16: at most 7 retries after the first attempt, 2 s doubling to at most 60 s.
@Suite struct RetryPolicyTests {
    @Test func `seven pauses, doubling from two seconds to sixty, and then none`() {
        let policy = RetryPolicy()
        let pauses = (1...8).map { policy.pause(afterFailures: $0) }
        #expect(
            pauses == [2, 4, 8, 16, 32, 60, 60].map { TimeSpan.seconds($0) } + [nil])
    }

    @Test func `a retried session waits out its pauses, one after the other`() {
        var world = KilledAnywhereTests.world()
        world.refusesConnections = 3
        world.run()
        var pauses: [TimeSpan?] = []
        for case .fails(_, _, _, let pause) in world.notes { pauses.append(pause) }
        #expect(pauses == [.seconds(2), .seconds(4), .seconds(8)])
        #expect(world.elapsed == .seconds(14))
        #expect(world.kept.map(\.state) == [.completed])
    }
}
