import Device
import Facts
import Quantities
import Testing

/// What a phone does while it is off or starts, and in which order its power goes and comes.
@Suite struct PhonePowerTests {
    private static let events: [DeviceEvent] = [
        .appOpened(0), .appWoken(0), .home, .locked, .unlocked, .callComes, .callEnds,
        .forceQuit(0), .crash(0), .kill(0), .memoryPressure, .dataCleared(0), .updated(0),
        .reboot, .powerLost, .powerBack, .lowPower(true), .clockJumps(.seconds(1), .user),
        .mode(0, .call, isOn: true),
    ]

    @Test(arguments: events.filter { $0 != .powerBack })
    func `a phone that is off takes notice of nothing but power`(event: DeviceEvent) {
        var bench = PhoneBench(.iOS(17))
        bench.happens(.powerLost, at: 1)
        bench.expect([], when: event, at: 2)
        bench.pass(to: 100)
        #expect(power(of: bench) == ["1 s lost"])
    }

    @Test(arguments: events.filter { $0 != .powerLost && $0 != .appOpened(0) })
    func `a phone that starts does so, whatever happens`(event: DeviceEvent) {
        var bench = PhoneBench(.iOS(17))
        bench.happens(.powerLost, at: 1)
        bench.happens(.powerBack, at: 10)
        bench.expect([], when: event, at: 11)
        bench.pass(to: 100)
        #expect(power(of: bench) == ["1 s lost", "10 s back", "40 s up"])
    }

    @Test func `bits flip in the store of an app that does not run, with power or without`() {
        let event = DeviceEvent.bitsFlip(0, count: 7)
        var bench = PhoneBench(.iOS(17))
        bench.expect([], when: event, at: 1)
        bench.happens(.kill(0), at: 2)
        bench.expect([.flipBits(0, count: 7)], when: event, at: 3)
        bench.happens(.powerLost, at: 4)
        bench.expect([.flipBits(0, count: 7)], when: event, at: 5)
    }

    @Test func `a charger is there or not, with power or without`() {
        var bench = PhoneBench(.iOS(17))
        bench.happens(.powerLost, at: 1)
        bench.expect(
            [.note(.charger(connected: true))], when: .charger(isConnected: true), at: 2)
        bench.expect([], when: .charger(isConnected: true), at: 3)
        bench.happens(.powerBack, at: 10)
        bench.expect(
            [.note(.charger(connected: false))], when: .charger(isConnected: false), at: 11)
    }

    @Test func `a slow phone is up late, after a restart and after a loss of power`() {
        var bench = PhoneBench(.iOS(17), startTime: .seconds(90))
        bench.happens(.reboot, at: 1)
        bench.happens(.powerLost, at: 100)
        bench.happens(.powerBack, at: 110)
        bench.pass(to: 300)
        #expect(
            power(of: bench) == [
                "1 s restarting", "91 s up", "100 s lost", "110 s back", "200 s up",
            ])
    }

    @Test func `a phone that loses its power while it starts begins anew`() {
        var bench = PhoneBench(.iOS(17))
        bench.happens(.reboot, at: 1)
        bench.happens(.appOpened(0), at: 2)
        bench.expect([.power(.lost)], when: .powerLost, at: 3)
        bench.happens(.powerBack, at: 50)
        bench.pass(to: 200)
        #expect(power(of: bench) == ["1 s restarting", "3 s lost", "50 s back", "80 s up"])
    }

    @Test func `of the apps that are opened while a phone starts the last one is`() {
        var bench = PhoneBench(.iOS(17), apps: 2)
        bench.happens(.reboot, at: 1)
        bench.happens(.appOpened(0), at: 2)
        bench.happens(.appOpened(1), at: 3)
        bench.pass(to: 100)
        #expect(bench.states(of: 0) == ["1 reboot"])
        #expect(bench.states(of: 1) == ["1 reboot", "31 launched", "31 active"])
    }

    @Test func `power that is back where it never went is no news`() {
        var bench = PhoneBench(.iOS(17))
        bench.expect([], when: .powerBack, at: 1)
    }

    @Test func `processes go before the power, and come after it`() {
        var bench = PhoneBench(.iOS(17), apps: 2)
        bench.expect(
            [.end(0, .powerLoss), .end(1, .powerLoss), .power(.lost)], when: .powerLost, at: 1)
        bench.happens(.powerBack, at: 2)
        bench.happens(.appOpened(1), at: 3)
        bench.expect(
            [
                .power(.up), .launch(1, inBackground: false),
                .enter(1, .active, because: "the user opened it"),
            ], of: .wake, at: 32)
        bench.expect([.end(1, .reboot), .power(.restarting)], when: .reboot, at: 50)
    }

    @Test func `a phone of which nothing is said starts, too`() {
        var bench = PhoneBench(nil)
        bench.happens(.reboot, at: 1)
        bench.happens(.appOpened(0), at: 2)
        bench.pass(to: 100)
        #expect(bench.states() == ["1 reboot", "31 launched"])
    }

    private func power(of bench: PhoneBench) -> [String] {
        bench.done.compactMap { entry in
            guard case .power(let change) = entry.output else { return nil }
            return "\(entry.at.sinceStart) \(change)"
        }
    }
}
