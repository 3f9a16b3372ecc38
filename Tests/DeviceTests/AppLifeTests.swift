import Device
import Facts
import Quantities
import Testing

@Suite struct AppLifeTests {
    @Test func `a call covers the app, and uncovers it when it is over`() {
        var bench = PhoneBench(.iOS(17))
        bench.happens(.callComes, at: 1)
        bench.happens(.callEnds, at: 2)
        bench.happens(.callComes, at: 3)
        bench.happens(.home, at: 4)
        bench.happens(.appOpened(0), at: 5)
        bench.happens(.callEnds, at: 6)
        #expect(
            bench.states() == [
                "1 inactive", "2 active", "3 inactive", "4 background", "5 active", "5 inactive",
                "6 active",
            ])
    }

    @Test func `a lock takes the app from the front, and unlocking brings it back`() {
        var bench = PhoneBench(.iOS(17))
        bench.happens(.locked, at: 1)
        bench.happens(.unlocked, at: 2)
        bench.happens(.home, at: 3)
        bench.happens(.locked, at: 4)
        bench.happens(.unlocked, at: 5)
        #expect(bench.states() == ["1 background", "2 active", "3 background"])
    }

    @Test func `the app that is opened takes the place of the other`() {
        var bench = PhoneBench(.iOS(17), apps: 2)
        bench.happens(.appOpened(1), at: 10)
        #expect(bench.states(of: 0) == ["10 background"])
        #expect(bench.states(of: 1) == ["5 suspended", "10 active"])
    }

    @Test func `short memory takes the suspended first, then the background, never the front`() {
        var bench = PhoneBench(.iOS(17), apps: 3)
        bench.pass(to: 10)
        bench.happens(.appOpened(1), at: 10)
        bench.take(.beginTask(0, 1))
        bench.happens(.memoryPressure, at: 11)
        #expect(bench.states(of: 2).last == "11 memory")
        #expect(bench.states(of: 0).last == "10 background")
        bench.happens(.memoryPressure, at: 12)
        #expect(bench.states(of: 0).last == "12 memory")
        bench.happens(.memoryPressure, at: 13)
        #expect(bench.states(of: 1).last == "10 active")
    }

    @Test func `the system starts an app in the background, and wakes one that is suspended`() {
        var bench = PhoneBench(.iOS(17))
        bench.happens(.crash(0), at: 1)
        bench.happens(.appWoken(0), at: 2)
        bench.pass(to: 10)
        bench.happens(.appWoken(0), at: 11)
        #expect(
            bench.states() == [
                "1 crash", "2 started", "2 background", "7 suspended", "11 background",
            ])
    }

    @Test func `what was thrown out is left alone until it is opened, and so is all in low power`()
    {
        var bench = PhoneBench(.iOS(17))
        bench.happens(.forceQuit(0), at: 1)
        bench.happens(.appWoken(0), at: 2)
        bench.happens(.appOpened(0), at: 3)
        bench.happens(.crash(0), at: 4)
        bench.happens(.lowPower(true), at: 5)
        bench.happens(.appWoken(0), at: 6)
        bench.happens(.lowPower(false), at: 7)
        bench.happens(.appWoken(0), at: 8)
        #expect(
            bench.states() == [
                "1 forceQuit", "3 launched", "3 active", "4 crash", "8 started", "8 background",
            ])
    }

    @Test func `a reboot ends all, and who opens an app meanwhile waits for it`() {
        var bench = PhoneBench(.iOS(17), apps: 2)
        bench.happens(.reboot, at: 1)
        bench.happens(.appOpened(0), at: 3)
        bench.pass(to: 100)
        #expect(bench.states(of: 0) == ["1 reboot", "31 launched", "31 active"])
        #expect(bench.states(of: 1) == ["1 reboot"])
        #expect(power(of: bench) == [.restarting, .up])
    }

    @Test func `without power nothing happens, and back it takes its time to start`() {
        var bench = PhoneBench(.android(9))
        bench.happens(.powerLost, at: 1)
        bench.happens(.appOpened(0), at: 2)
        bench.happens(.powerBack, at: 10)
        bench.happens(.powerBack, at: 11)
        bench.pass(to: 100)
        bench.happens(.appOpened(0), at: 101)
        #expect(bench.states() == ["1 powerLoss", "101 launched", "101 active"])
        #expect(power(of: bench) == [.lost, .back, .up])
    }

    @Test func `clearing and updating end the process first, if there is one`() {
        var bench = PhoneBench(.android(9), apps: 2)
        bench.expect([.end(1, .update), .moveContainer(1, version: 2)], when: .updated(1), at: 1)
        bench.expect([.moveContainer(1, version: 3)], when: .updated(1), at: 2)
        bench.expect([.end(0, .dataCleared), .clearData(0)], when: .dataCleared(0), at: 3)
        bench.expect([.clearData(1)], when: .dataCleared(1), at: 4)
    }

    @Test func `the wall clock jumps, and nothing else does`() {
        var bench = PhoneBench(.iOS(17))
        bench.happens(.home, at: 0)
        bench.take(.beginTask(0, 1))
        let before = bench.device.wallNanoseconds(at: bench.now)
        bench.happens(.clockJumps(.seconds(-7_200), .user), at: 5)
        let after = bench.device.wallNanoseconds(at: bench.now)
        #expect(Int64(after) - Int64(before) == -7_195_000_000_000)
        bench.pass(to: 100)
        #expect(bench.states() == ["0 background", "25 expires", "30 taskOverdue"])
    }

    @Test func `a phone of which nothing is said only launches and kills`() {
        var bench = PhoneBench(nil)
        bench.happens(.kill(0), at: 1)
        bench.happens(.appOpened(0), at: 2)
        #expect(bench.done.map(\.output) == [.end(0, nil), .launch(0, inBackground: false)])
    }

    private func power(of bench: PhoneBench) -> [PowerStep] {
        bench.done.compactMap { if case .power(let change) = $0.output { change } else { nil } }
    }
}
