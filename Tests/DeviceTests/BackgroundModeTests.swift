import Device
import Facts
import Quantities
import Testing

/// What holds an app awake besides its tasks (A24, B14).
@Suite struct BackgroundModeTests {
    @Test func `an app is awake as long as one mode holds it, and then for the usual time`() {
        var bench = PhoneBench(.iOS(17))
        bench.happens(.mode(0, .location, isOn: true), at: 1)
        bench.happens(.home, at: 2)
        bench.happens(.mode(0, .call, isOn: true), at: 50)
        bench.happens(.mode(0, .location, isOn: false), at: 60)
        bench.happens(.mode(0, .call, isOn: false), at: 100)
        bench.pass(to: 200)
        #expect(bench.states() == ["2 background", "105 suspended"])
    }

    @Test func `no time runs while a mode holds the app, and all of it runs afterwards`() {
        var bench = PhoneBench(.iOS(17))
        bench.happens(.home, at: 0)
        bench.take(.beginTask(0, 1))
        bench.happens(.mode(0, .location, isOn: true), at: 20)
        bench.expect(
            [.note(.taskBegan(launch: 0, task: 2, deadline: nil), of: 0)], of: .beginTask(0, 2),
            at: 90)
        bench.happens(.mode(0, .location, isOn: false), at: 100)
        bench.expect(
            [.note(.taskBegan(launch: 0, task: 3, deadline: .start + .seconds(130)), of: 0)],
            of: .beginTask(0, 3), at: 101)
        bench.pass(to: 200)
        #expect(bench.states() == ["0 background", "125 expires", "130 taskOverdue"])
    }

    @Test func `a mode that begins when time is up saves no task`() {
        var bench = PhoneBench(.iOS(17))
        bench.happens(.home, at: 0)
        bench.take(.beginTask(0, 1))
        bench.happens(.mode(0, .call, isOn: true), at: 26)
        bench.happens(.mode(0, .call, isOn: false), at: 28)
        bench.pass(to: 200)
        #expect(bench.states() == ["0 background", "25 expires", "30 taskOverdue"])
    }

    @Test func `an app that gave its tasks back in time goes on as long as a mode holds it`() {
        var bench = PhoneBench(.iOS(17))
        bench.happens(.home, at: 0)
        bench.take(.beginTask(0, 1))
        bench.happens(.mode(0, .call, isOn: true), at: 26)
        bench.take(.endTask(0, 1))
        bench.happens(.mode(0, .call, isOn: false), at: 60)
        bench.pass(to: 200)
        #expect(bench.states() == ["0 background", "25 expires", "60 suspended"])
    }

    @Test func `an app that can do nothing begins no mode, and a mode ends with its process`() {
        var bench = PhoneBench(.iOS(17))
        bench.happens(.home, at: 0)
        bench.pass(to: 10)
        bench.expect([], when: .mode(0, .location, isOn: true), at: 10)
        bench.happens(.appOpened(0), at: 20)
        bench.expect(
            [.note(.modeBegan(launch: 0, .location), of: 0)],
            when: .mode(0, .location, isOn: true), at: 21)
        bench.expect([], when: .mode(0, .location, isOn: true), at: 22)
        bench.happens(.crash(0), at: 23)
        bench.expect([], when: .mode(0, .location, isOn: false), at: 24)
        bench.happens(.appOpened(0), at: 30)
        bench.happens(.home, at: 31)
        bench.pass(to: 100)
        #expect(bench.states().suffix(2) == ["31 background", "36 suspended"])
    }
}
