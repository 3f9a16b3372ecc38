import Device
import Facts
import Quantities
import Testing

/// Behaviour B14: how long an app may go on in the background.
@Suite struct BackgroundTaskTests {
    static let budgets: [(OperatingSystem, Int64)] = [
        (.iOS(4), 600), (.iOS(6), 600), (.iOS(7), 180), (.iOS(12), 180), (.iOS(13), 30),
        (.iOS(18), 30),
    ]

    @Test(arguments: budgets)
    func `a task that is not ended gets its app killed, 5 s after its handler ran`(
        system: OperatingSystem, budget: Int64
    ) {
        var bench = PhoneBench(system)
        bench.happens(.home, at: 10)
        bench.take(.beginTask(0, 1))
        bench.pass(to: 1_000)
        #expect(
            bench.states() == [
                "10 background", "\(10 + budget - 5) expires", "\(10 + budget) taskOverdue",
            ])
        #expect(
            bench.done[2].output
                == .expire(0, [1], deadline: .start + .seconds(10 + budget)))
    }

    @Test func `a task that is ended in time lets the app be suspended`() {
        var bench = PhoneBench(.iOS(17))
        bench.happens(.home, at: 10)
        bench.take(.beginTask(0, 1))
        #expect(bench.device.holdsTasks(of: 0))
        bench.pass(to: 36)
        bench.take(.endTask(0, 1))
        #expect(!bench.device.holdsTasks(of: 0))
        bench.pass(to: 1_000)
        #expect(bench.states() == ["10 background", "35 expires", "36 suspended"])
    }

    @Test func `without a task an app is suspended after 5 s, and goes on in front`() {
        var bench = PhoneBench(.iOS(17))
        bench.happens(.home, at: 10)
        bench.happens(.appOpened(0), at: 500)
        #expect(bench.states() == ["10 background", "15 suspended", "500 active"])
    }

    @Test func `a task begun at expiry gets the app killed, even if it is ended`() {
        var bench = PhoneBench(.iOS(17))
        bench.happens(.home, at: 0)
        bench.take(.beginTask(0, 1))
        bench.pass(to: 25)
        bench.take(.beginTask(0, 2))
        bench.take(.endTask(0, 1))
        bench.take(.endTask(0, 2))
        bench.pass(to: 100)
        #expect(bench.states() == ["0 background", "25 expires", "30 taskBegunAtExpiry"])
    }

    @Test func `time is not counted in front, and begins anew behind`() {
        var bench = PhoneBench(.iOS(17))
        bench.take(.beginTask(0, 1))
        bench.pass(to: 100)
        bench.happens(.home, at: 100)
        bench.happens(.appOpened(0), at: 126)
        bench.happens(.home, at: 127)
        bench.pass(to: 151)
        #expect(
            bench.states() == ["100 background", "125 expires", "126 active", "127 background"])
        bench.pass(to: 152)
        #expect(bench.states().last == "152 expires")
    }

    @Test func `the last of several tasks holds the app, and each is begun and ended once`() {
        var bench = PhoneBench(.iOS(17))
        bench.happens(.home, at: 0)
        for task in [1, 2, 2] as [UInt32] { bench.take(.beginTask(0, task)) }
        bench.pass(to: 8)
        bench.take(.endTask(0, 1))
        bench.take(.endTask(0, 1))
        bench.pass(to: 9)
        #expect(bench.states() == ["0 background"])
        bench.take(.endTask(0, 2))
        #expect(bench.states() == ["0 background", "9 suspended"])
        let notes = bench.done.filter { if case .note = $0.output { true } else { false } }
        #expect(notes.count == 4)
    }

    @Test func `Android lets the process live on, whether it asks or not`() {
        var bench = PhoneBench(.android(14))
        bench.happens(.home, at: 0)
        bench.pass(to: 100_000)
        bench.take(.beginTask(0, 1))
        bench.pass(to: 200_000)
        #expect(bench.states() == ["0 background"])
        #expect(
            bench.done.last?.output == .note(.taskBegan(launch: 0, task: 1, deadline: nil), of: 0))
    }
}
