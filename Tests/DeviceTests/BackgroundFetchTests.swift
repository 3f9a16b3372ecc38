import Device
import Facts
import Quantities
import Testing

/// The time that the system gives an app to look for news (B21).
@Suite struct BackgroundFetchTests {
    @Test func `an app that fetches is not suspended before it says what came of it`() {
        var bench = PhoneBench(.iOS(17))
        bench.happens(.home, at: 1)
        bench.pass(to: 10)
        bench.happens(.fetch(0), at: 20)
        bench.pass(to: 40)
        #expect(bench.states() == ["1 background", "6 suspended", "20 background"])
        bench.take(.endFetch(0, .newData))
        #expect(bench.states().last == "40 suspended")
    }

    @Test func `an app that does not say so is killed after 30 s`() {
        var bench = PhoneBench(.iOS(17))
        bench.happens(.home, at: 1)
        bench.happens(.fetch(0), at: 20)
        bench.pass(to: 49)
        #expect(bench.states().last == "20 background")
        bench.pass(to: 50)
        #expect(bench.states().last == "50 fetchOverdue")
    }

    @Test func `an app in front, or on another system, is not made to fetch`() {
        for system in [OperatingSystem.iOS(6), .android(14)] {
            var bench = PhoneBench(system)
            bench.happens(.home, at: 1)
            bench.happens(.fetch(0), at: 20)
            #expect(!bench.hasFetched)
        }
        var bench = PhoneBench(.iOS(17))
        bench.happens(.fetch(0), at: 20)
        #expect(!bench.hasFetched)
    }

    @Test func `an app that was thrown out does not fetch, and one that was killed does`() {
        var bench = PhoneBench(.iOS(17))
        bench.happens(.kill(0), at: 1)
        bench.happens(.fetch(0), at: 20)
        #expect(bench.states().last == "20 background")
        bench.take(.endFetch(0, .noData))
        bench.happens(.forceQuit(0), at: 30)
        let before = bench.states()
        bench.happens(.fetch(0), at: 40)
        #expect(bench.states() == before)
    }

    @Test func `a fetch outlasts the app's way to the front, and a second one is the same`() {
        var bench = PhoneBench(.iOS(17))
        bench.happens(.home, at: 1)
        bench.happens(.fetch(0), at: 20)
        bench.happens(.fetch(0), at: 30)
        bench.happens(.appOpened(0), at: 35)
        bench.pass(to: 60)
        #expect(bench.states().last == "35 active")
        bench.take(.endFetch(0, .failed))
        bench.happens(.home, at: 70)
        bench.pass(to: 80)
        #expect(bench.states().last == "75 suspended")
    }
}

extension PhoneBench {
    fileprivate var hasFetched: Bool {
        done.contains { if case .fetch = $0.output { true } else { false } }
    }
}
