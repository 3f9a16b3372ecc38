import Quantities
import RunLog
import Testing

@testable import Checks

/// Delays of tasks made in the background, judged by the log alone (behaviour B11, S10).
@Suite struct BackgroundDelaysTests {
    private let check = AttemptsKeepTheirBudget()

    private func entered(_ stage: AppStage, at: Int64) -> RunEvent {
        RunEvent(
            at: .start + .seconds(at),
            .device(.appEntered(launch: 1, stage: stage, because: "of the test")))
    }

    private func woken(at: Int64) -> RunEvent {
        RunEvent(at: .start + .seconds(at), .background(.woken))
    }

    /// A task made at this moment, and its first attempt after this delay.
    private func task(
        _ number: UInt64, at: Int64, delayedBy delay: Int64?, begins later: Int64
    ) -> [RunEvent] {
        let name = ItemName(number, of: .background)
        let delays = delay.map {
            RunEvent(at: .start + .seconds(at), .engine(.delays(name, by: .seconds($0))))
        }
        return [delays].compactMap(\.self) + [
            RunEvent(at: .start + .seconds(at), .engine(.accepts(name, index: nil, []))),
            RunEvent(
                at: .start + .seconds(at + later), .engine(.attempt(name, number: 1))),
        ]
    }

    private func answer(_ log: [RunEvent]) -> Verdict.Answer {
        var check = check
        for event in log { check.read(event) }
        return check.verdict()
    }

    private func seen(_ log: [RunEvent]) -> String? {
        if case .broken(let breach) = answer(log) { breach.seen } else { nil }
    }

    @Test func `it is 60 s, and twice as long each time that the app is woken`() {
        let log =
            [entered(.active, at: 0), entered(.background, at: 1)]
            + task(1, at: 10, delayedBy: 60, begins: 60)
            + [woken(at: 100)] + task(2, at: 101, delayedBy: 120, begins: 120)
            + [woken(at: 300)] + task(3, at: 301, delayedBy: 240, begins: 500)
        #expect(answer(log) == .held)
    }

    @Test func `a delay that does not grow with a waking falls`() {
        let log =
            [entered(.active, at: 0), entered(.background, at: 1), woken(at: 100)]
            + task(1, at: 101, delayedBy: 60, begins: 120)
        #expect(seen(log) == "it waits for 60 s")
    }

    @Test func `a delay that the front did not reset falls`() {
        let log =
            [
                entered(.background, at: 1), woken(at: 100), entered(.active, at: 200),
                entered(.background, at: 201),
            ] + task(1, at: 210, delayedBy: 120, begins: 120)
        #expect(seen(log) == "it waits for 2 min")
    }

    private func store(_ fact: StoreFact, at: Int64, of device: UInt16? = nil) -> RunEvent {
        RunEvent(at: .start + .seconds(at), .daemon(.store(fact, device: device)))
    }

    private func opened(at: Int64) -> RunEvent {
        store(.opened(launch: 2, content: 1, sessions: 0), at: at)
    }

    private let request = StoreFact.requested(ticket: 7, content: 1, paths: [])

    @Test func `a restart may undo what the store has not promised, and nothing else`() {
        let before = [entered(.background, at: 1), woken(at: 100), store(request, at: 100)]
        let promised = [store(.committed(ticket: 7), at: 100)]
        for (delay, isPromised, isRight) in [
            (Int64(60), false, true), (120, false, true), (240, false, false), (60, true, false),
            (120, true, true),
        ] {
            let log =
                before + (isPromised ? promised : []) + [opened(at: 150)]
                + task(1, at: 200, delayedBy: delay, begins: delay)
            #expect((answer(log) == .held) == isRight)
        }
        // Only a restart undoes changes, and another phone's store promises nothing here.
        #expect(seen(before + task(1, at: 200, delayedBy: 60, begins: 60)) == "it waits for 60 s")
        let elsewhere = [store(.committed(ticket: 7), at: 100, of: 2)]
        #expect(
            answer(
                before + elsewhere + [opened(at: 150)]
                    + task(1, at: 200, delayedBy: 60, begins: 60)) == .held)
    }

    @Test func `a store that was set aside has lost the delay with all else`() {
        let aside = StoreFact.setAside(as: "d", because: "of the test", kept: [], lost: [])
        let log =
            [
                entered(.background, at: 1), woken(at: 100), store(request, at: 100),
                store(.committed(ticket: 7), at: 100), store(aside, at: 150), opened(at: 150),
            ] + task(1, at: 200, delayedBy: 60, begins: 60)
        #expect(answer(log) == .held)
    }

    @Test(arguments: [(120, true), (240, true), (60, false), (480, false)] as [(Int64, Bool)])
    func `a waking doubles what may have been lost, too`(delay: Int64, isRight: Bool) {
        let aside = StoreFact.setAside(as: "d", because: "of the test", kept: [], lost: [])
        let log =
            [
                entered(.background, at: 1), woken(at: 100), store(request, at: 100),
                store(.committed(ticket: 7), at: 100), store(aside, at: 150), opened(at: 150),
                woken(at: 160),
            ] + task(1, at: 200, delayedBy: delay, begins: delay)
        #expect((answer(log) == .held) == isRight)
    }

    @Test(arguments: [7, 8] as [UInt64])
    func `of several requests of a moment the last one may ask for the delay`(ticket: UInt64) {
        let log =
            [
                entered(.background, at: 1), woken(at: 100), store(request, at: 100),
                store(.requested(ticket: 8, content: 1, paths: []), at: 100),
                store(.committed(ticket: ticket), at: 101), opened(at: 150),
            ] + task(1, at: 200, delayedBy: 60, begins: 60)
        #expect((answer(log) == .held) == (ticket == 7))
    }

    @Test func `a task of the moment in which its app is opened may be older`() {
        let before = [entered(.background, at: 1), woken(at: 100), entered(.active, at: 200)]
        #expect(answer(before + task(1, at: 200, delayedBy: 120, begins: 0)) == .held)
        #expect(seen(before + task(1, at: 201, delayedBy: 120, begins: 0)) == "it waits for 2 min")
    }

    @Test func `what is made in the foreground does not wait`() {
        // Made just before, it does not wait any longer.
        let opened = [entered(.background, at: 1), entered(.active, at: 200)]
        #expect(answer(opened + task(1, at: 200, delayedBy: 60, begins: 1)) == .held)
        #expect(answer(opened + task(1, at: 202, delayedBy: nil, begins: 0)) == .held)
        #expect(seen(opened + task(1, at: 202, delayedBy: 60, begins: 60)) == "it waits for 60 s")
        #expect(seen(opened + task(1, at: 202, delayedBy: 60, begins: 0)) == "it waits for 60 s")
    }

    private func power(_ step: PowerStep, at: Int64, of device: UInt16? = nil) -> RunEvent {
        RunEvent(at: .start + .seconds(at), .device(.power(step, device: device)))
    }

    @Test func `a system that hears late hears of tasks from the foreground as well`() {
        let made = task(1, at: 90, delayedBy: nil, begins: 1)
        let stages = [entered(.active, at: 60), entered(.background, at: 80)]
        let start = [power(.restarting, at: 11), power(.up, at: 40)]
        #expect(answer(start + stages + [opened(at: 90)] + made) == .held)
        // It hears at once, or heard all that was from the foreground, or there was no foreground.
        #expect(seen(start + [opened(at: 40)] + stages + made) == "it does not wait")
        let earlier = [entered(.active, at: 1), entered(.background, at: 10)]
        #expect(seen(earlier + start + [opened(at: 90)] + made) == "it does not wait")
        #expect(seen(start + stages + [opened(at: 85)] + made) == "it does not wait")
        let behind = Array(stages.suffix(1))
        #expect(seen(start + behind + [opened(at: 90)] + made) == "it does not wait")
    }

    @Test func `the foreground ends delays of which the system hears late`() {
        let start = [power(.restarting, at: 11), power(.up, at: 40)]
        let stages = [entered(.background, at: 60), entered(.active, at: 80)]
        let made = task(1, at: 90, delayedBy: 60, begins: 1)
        #expect(answer(start + stages + [opened(at: 90)] + made) == .held)
        let behind = Array(stages.prefix(1))
        #expect(seen(start + behind + [opened(at: 90)] + made) == "it begins at 91 s")
        // The delay may be one from before the foreground, but no other.
        let before = [entered(.background, at: 1), woken(at: 2)] + start + stages
        for (delay, isRight) in [(Int64(60), true), (120, true), (240, false)] {
            let log = before + [opened(at: 90)] + task(1, at: 90, delayedBy: delay, begins: 1)
            #expect((answer(log) == .held) == isRight)
        }
        let after =
            [entered(.background, at: 100)] + task(2, at: 110, delayedBy: 60, begins: 60)
        let both = before + [opened(at: 90)] + task(1, at: 90, delayedBy: 120, begins: 1) + after
        #expect(answer(both) == .held)
    }

    @Test func `nothing waits any longer for an app that its user has opened`() {
        let made = task(1, at: 10, delayedBy: 60, begins: 20)
        let opened = RunEvent(at: .start + .seconds(25), .device(.appLaunched(launch: 2)))
        let woken = RunEvent(
            at: .start + .seconds(25), .device(.appLaunched(launch: 2, by: .system)))
        let before = [entered(.background, at: 1)] + made.dropLast()
        #expect(answer(before + [opened] + made.suffix(1)) == .held)
        #expect(seen(before + [woken] + made.suffix(1)) == "it begins at 30 s")
    }

    @Test func `a task that begins too early falls, unless its app is in front`() {
        let made = task(1, at: 10, delayedBy: 60, begins: 59)
        #expect(seen([entered(.background, at: 1)] + made) == "it begins at 69 s")
        let log = [entered(.background, at: 1)] + made.dropLast() + [entered(.active, at: 68)]
        #expect(answer(log + made.suffix(1)) == .held)
    }

    @Test func `a task that is made in the background and does not wait at all falls`() {
        let log = [entered(.background, at: 1)] + task(1, at: 10, delayedBy: nil, begins: 60)
        #expect(seen(log) == "it does not wait")
        // A task made in the foreground may be reported only now.
        let early = [entered(.background, at: 10)] + task(1, at: 10, delayedBy: nil, begins: 1)
        #expect(answer(early) == .held)
    }

    @Test func `however often it is woken, 7 days are the most`() {
        let week: Int64 = 7 * 24 * 3600
        let log =
            [entered(.background, at: 1)] + (0..<40).map { woken(at: 2 + $0) }
            + task(1, at: 100, delayedBy: week, begins: week)
        #expect(answer(log) == .held)
    }

    @Test func `an expected delay is the one that the log tells`() {
        let plan = ExpectationPlan.taskIsDelayed(
            ItemName(1, of: .background), by: .seconds(60))
        func answer(_ log: [RunEvent]) -> Verdict.Answer {
            var check = plan.check(words: "w", place: "p")
            for event in log { check.read(event) }
            return check.verdict()
        }
        let end = RunEvent(at: .start + .seconds(900), .run(.ended(.quiet)))
        #expect(answer(task(1, at: 1, delayedBy: 60, begins: 60) + [end]) == .held)
        for log in [
            task(1, at: 1, delayedBy: 120, begins: 60), task(2, at: 1, delayedBy: 60, begins: 60),
            task(1, at: 1, delayedBy: nil, begins: 60),
        ] {
            guard case .broken = answer(log + [end]) else {
                Issue.record("\(log) is not as expected")
                continue
            }
        }
    }
}
