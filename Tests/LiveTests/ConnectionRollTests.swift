import Quantities
import RunLog
import Testing
import TransferHost

@testable import Live

@Suite struct ConnectionRollTests {
    private let first = ConnectionName(launch: 2, number: 1)
    private let second = ConnectionName(launch: 2, number: 2)
    private let clients = [
        SocketAddress(address: 0x7f00_0001, port: 40_001),
        SocketAddress(address: 0x7f00_0001, port: 40_002),
    ]

    @Test(arguments: [true, false])
    func `the server tells what a dead connection had sent, whoever is first`(serverFirst: Bool) {
        var roll = roll(of: [first])
        if serverFirst { roll.serverSaw([end(of: 0, having: 700)]) }
        roll.appDied(launch: 2)
        #expect(roll.isSettled == false)
        if !serverFirst {
            #expect(roll.takeEnds().isEmpty)
            roll.serverSaw([end(of: 0, having: 700)])
        }
        #expect(
            roll.takeEnds().map(\.fact) == [
                .ended(first, why: .processDied, transmitted: ByteCount(700))
            ])
        #expect(roll.isSettled)
        #expect(roll.takeEnds().isEmpty)
    }

    @Test func `a connection whose end the app has told is not told again`() {
        var roll = roll(of: [first, second])
        roll.read(
            RunEvent(
                at: .start, .connection(.ended(first, why: .closed, transmitted: .zero))))
        roll.appDied(launch: 2)
        roll.serverSaw([end(of: 0, having: 1), end(of: 1, having: 2)])
        #expect(
            roll.takeEnds().map(\.fact) == [
                .ended(second, why: .processDied, transmitted: ByteCount(2))
            ])
    }

    @Test func `what was reset is settled, but nobody knows what it had sent`() {
        var roll = roll(of: [first])
        roll.appDied(launch: 2)
        roll.serverSaw([
            .init(client: clients[0], received: ByteCount(700), isWhole: false)
        ])
        #expect(roll.takeEnds().isEmpty)
        #expect(roll.isSettled)
    }

    @Test func `the process of another app takes nothing with it`() {
        var roll = roll(of: [first])
        roll.appDied(launch: 1)
        #expect(roll.isSettled)
        roll.serverSaw([end(of: 0, having: 700)])
        #expect(roll.takeEnds().isEmpty)
    }

    @Test func `an end is an event of the app for which the connection was opened`() {
        var roll = roll(of: [first])
        let opening = ConnectionFact.opening(first, to: "", by: nil)
        roll.read(RunEvent(at: .start, app: 3, .connection(opening)))
        roll.appDied(launch: 2)
        roll.serverSaw([end(of: 0, having: 700)])
        #expect(roll.takeEnds().map(\.app) == [3])
    }

    @Test func `a daemon takes its own connections with it, and not those of another phone`() {
        let names = [1, 1_000_001].map { ConnectionName(launch: 0, number: $0) }
        var roll = roll(of: names)
        roll.serverSaw([end(of: 0, having: 1), end(of: 1, having: 2)])
        roll.daemonDied(1_000_000...1_999_999)
        #expect(
            roll.takeEnds().map(\.fact) == [
                .ended(names[1], why: .processDied, transmitted: ByteCount(2))
            ])
        #expect(roll.isSettled)
    }

    @Test func `a connection that was abandoned is lost as long as its process lives`() {
        var roll = roll(of: [first, second])
        roll.abandoned(first, from: clients[0])
        #expect(roll.lost == [clients[0]])
        roll.appDied(launch: 2)
        #expect(roll.lost.isEmpty)
    }

    @Test func `a connection that was abandoned before anybody said that it stands is lost`() {
        var roll = ConnectionRoll()
        roll.abandoned(first, from: clients[0])
        #expect(roll.unimportant == [clients[0]])
        roll.stands(second, from: clients[0])
        #expect(roll.unimportant.isEmpty)
    }

    @Test func `the connection of a persistent session keeps the server from nothing`() {
        var roll = roll(of: [first, second])
        func read(_ fact: RunEvent.Fact) { roll.read(RunEvent(at: .start, fact)) }
        read(.engine(.isPersistent(ItemName(1))))
        read(.connection(.opening(first, to: "docroot:80", by: ItemName(1))))
        read(.connection(.opening(second, to: "docroot:80", by: ItemName(2))))
        #expect(roll.unimportant == [clients[0]])
        read(.connection(.ended(first, why: .closed, transmitted: .zero)))
        #expect(roll.unimportant.isEmpty)
    }

    @Test func `the server may see the end before the app has told of the beginning`() {
        var roll = ConnectionRoll()
        roll.serverSaw([end(of: 0, having: 700)])
        roll.stands(first, from: clients[0])
        roll.appDied(launch: 2)
        #expect(
            roll.takeEnds().map(\.fact) == [
                .ended(first, why: .processDied, transmitted: ByteCount(700))
            ])
        #expect(roll.isSettled)
    }

    @Test func `an address that serves again is not that of the connection before`() {
        var roll = roll(of: [first])
        roll.abandoned(first, from: clients[0])
        roll.serverSaw([end(of: 0, having: 700)])
        roll.stands(second, from: clients[0])
        #expect(roll.lost.isEmpty)
        roll.read(
            RunEvent(
                at: .start, .connection(.ended(first, why: .closed, transmitted: .zero))))
        roll.appDied(launch: 2)
        #expect(roll.takeEnds().isEmpty)
        #expect(roll.isSettled == false)
    }

    private func roll(of names: [ConnectionName]) -> ConnectionRoll {
        var roll = ConnectionRoll()
        for (name, client) in zip(names, clients) { roll.stands(name, from: client) }
        return roll
    }

    private func end(of place: Int, having bytes: UInt64) -> LiveServerHost.End {
        LiveServerHost.End(client: clients[place], received: ByteCount(bytes), isWhole: true)
    }
}
