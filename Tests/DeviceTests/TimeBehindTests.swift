import Device
import Facts
import Quantities
import Testing

/// Behaviour B14, where moments meet and where several apps are behind.
@Suite struct TimeBehindTests {
    @Test func `each app behind has its own time`() {
        var bench = PhoneBench(.iOS(17), apps: 4)
        bench.take(.beginTask(1, 1))
        bench.pass(to: 3)
        bench.take(.beginTask(3, 1))
        bench.happens(.home, at: 4)
        bench.pass(to: 27)
        bench.take(.endTask(3, 1))
        bench.pass(to: 100)
        #expect(bench.states(of: 0) == ["4 background", "9 suspended"])
        #expect(bench.states(of: 1) == ["25 expires", "30 taskOverdue"])
        #expect(bench.states(of: 2) == ["5 suspended"])
        #expect(bench.states(of: 3) == ["25 expires", "27 suspended"])
    }

    @Test func `the handlers of all tasks run, in the order in which these were begun`() {
        var bench = PhoneBench(.iOS(17), apps: 2)
        for task in [5, 3, 9] as [UInt32] { bench.take(.beginTask(1, task)) }
        bench.take(.endTask(1, 3))
        bench.expect([.expire(1, [5, 9], deadline: .start + .seconds(30))], of: .wake, at: 25)
    }

    @Test func `what happens at the moment of a deadline still counts`() {
        var bench = PhoneBench(.iOS(17))
        bench.happens(.home, at: 0)
        bench.take(.beginTask(0, 1))
        bench.pass(to: 25)
        bench.expect(
            [
                .note(.taskEnded(launch: 0, task: 1), of: 0),
                .enter(0, .suspended, because: "nothing holds it awake"),
            ],
            of: .endTask(0, 1), at: 30)
    }

    @Test func `who is woken behind, or in front, gets no more time by that`() {
        var bench = PhoneBench(.iOS(17), apps: 2)
        bench.happens(.appWoken(1), at: 4)
        bench.happens(.appWoken(0), at: 4)
        bench.expect(
            [.note(.taskBegan(launch: 0, task: 1, deadline: nil), of: 0)], of: .beginTask(0, 1),
            at: 4)
        bench.pass(to: 100)
        #expect(bench.states(of: 1) == ["5 suspended"])
    }

    @Test func `who is woken from suspension, or started, has its whole time`() {
        var bench = PhoneBench(.iOS(17), apps: 2)
        bench.happens(.kill(0), at: 10)
        bench.happens(.appWoken(0), at: 20)
        bench.happens(.appWoken(1), at: 20)
        for app in 0...1 {
            bench.expect(
                [.note(.taskBegan(launch: 0, task: 1, deadline: .start + .seconds(50)), of: app)],
                of: .beginTask(app, 1), at: 21)
        }
    }

    @Test func `tasks end with their process`() {
        var bench = PhoneBench(.iOS(17))
        bench.take(.beginTask(0, 1))
        bench.happens(.crash(0), at: 1)
        bench.happens(.appOpened(0), at: 2)
        bench.happens(.home, at: 3)
        bench.pass(to: 100)
        #expect(
            bench.states() == [
                "1 crash", "2 launched", "2 active", "3 background", "8 suspended",
            ])
    }

    @Test func `a task that an app holds while it is covered goes on when it leaves`() {
        var bench = PhoneBench(.iOS(17))
        bench.take(.beginTask(0, 1))
        bench.happens(.callComes, at: 1)
        bench.happens(.home, at: 2)
        bench.pass(to: 100)
        #expect(
            bench.states() == ["1 inactive", "2 background", "27 expires", "32 taskOverdue"])
    }
}
