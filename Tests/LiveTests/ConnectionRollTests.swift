import Quantities
import RunLog
import Testing

@testable import Live

@Suite struct ConnectionRollTests {
    private let first = ConnectionName(launch: 2, number: 1)
    private let second = ConnectionName(launch: 2, number: 2)

    @Test(arguments: [true, false])
    func `the server tells what a dead connection had sent, whoever is first`(serverFirst: Bool) {
        var roll = launched(establishing: [first])
        let end = LiveServerHost.End(connection: 5, received: ByteCount(700), isWhole: true)
        if serverFirst { roll.serverSaw([end]) }
        roll.appDied()
        #expect(roll.isSettled == false)
        if !serverFirst {
            #expect(roll.takeEnds().isEmpty)
            roll.serverSaw([end])
        }
        #expect(
            roll.takeEnds() == [
                .ended(first, why: .processDied, transmitted: ByteCount(700))
            ])
        #expect(roll.isSettled)
        #expect(roll.takeEnds().isEmpty)
    }

    @Test func `a connection whose end the app has told is not told again`() {
        var roll = launched(establishing: [first, second])
        roll.read(
            RunEvent(
                at: .start, .connection(.ended(first, why: .closed, transmitted: .zero))))
        roll.appDied()
        roll.serverSaw([
            .init(connection: 5, received: ByteCount(1), isWhole: true),
            .init(connection: 6, received: ByteCount(2), isWhole: true),
        ])
        #expect(
            roll.takeEnds() == [.ended(second, why: .processDied, transmitted: ByteCount(2))])
    }

    @Test func `what was reset is settled, but nobody knows what it had sent`() {
        var roll = launched(establishing: [first])
        roll.appDied()
        roll.serverSaw([.init(connection: 5, received: ByteCount(700), isWhole: false)])
        #expect(roll.takeEnds().isEmpty)
        #expect(roll.isSettled)
    }

    /// The server had taken four connections of an earlier launch.
    private func launched(establishing names: [ConnectionName]) -> ConnectionRoll {
        var roll = ConnectionRoll()
        roll.appLaunched(serverHasTaken: 4)
        for name in names {
            roll.read(RunEvent(at: .start, .connection(.established(name))))
        }
        return roll
    }
}
