import Quantities
import RunLog
import Testing

@testable import Checks

@Suite struct BackgroundTasksAreBalancedTests {
    private let deadline = Instant.start + .milliseconds(5)
    private var begins: RunEvent.Fact {
        .device(.taskBegan(launch: 1, task: 1, deadline: deadline))
    }
    private var expires: RunEvent.Fact {
        .device(.taskExpires(launch: 1, task: 1, deadline: deadline))
    }
    private let ends = RunEvent.Fact.device(.taskEnded(launch: 1, task: 1))
    private let nothing = RunEvent.Fact.queue(.started)

    @Test func `a task that is ended in time holds, at its expiry too`() {
        #expect(judge([begins, ends, SmallLog.runEnds]) == .held)
        #expect(judge([begins, expires, ends, SmallLog.runEnds]) == .held)
    }

    @Test func `a task that is not ended by its deadline falls`() {
        #expect(
            judge([begins] + Array(repeating: nothing, count: 6))
                == broken(
                    at: 6, expected: "background task 1 is ended before 0.005 s",
                    seen: "it is not, although its app is alive"))
    }

    @Test func `a task that is still open at the run's end falls`() {
        #expect(
            judge([begins, SmallLog.runEnds])
                == broken(
                    at: 1, expected: "background task 1 is ended",
                    seen: "it is not by the run's end"))
    }

    @Test func `a queue that may not ask for time begins no task, and gives back what it has`() {
        let off = RunEvent.Fact.queue(.demarcates(false))
        let on = RunEvent.Fact.queue(.demarcates(true))
        #expect(judge([off, on, begins, ends, SmallLog.runEnds]) == .held)
        #expect(judge([off, SmallLog.launched, begins, ends, SmallLog.runEnds]) == .held)
        let forbidden = broken(
            at: 1, expected: "no task is begun for a queue that may not ask for background time",
            seen: "background task 1 begins")
        #expect(judge([off, begins]) == forbidden)
        let own = RunEvent.Fact.device(.taskBegan(launch: 1, task: 1_000_001, deadline: nil))
        let ownEnds = RunEvent.Fact.device(.taskEnded(launch: 1, task: 1_000_001))
        #expect(judge([off, own, ownEnds, SmallLog.runEnds]) == .held)
        let endless = RunEvent.Fact.device(.taskBegan(launch: 1, task: 1, deadline: nil))
        var log = TimedLog()
        for fact in [endless, off] { log.add(fact) }
        log.wait(.seconds(2))
        log.add(nothing)
        let kept = log.brokenAtLast(
            expected:
                "background task 1 is ended when its queue may no longer ask for background time",
            seen: "it is not")
        #expect(log.answer(of: BackgroundTasksAreBalanced()) == kept)
        var returned = TimedLog()
        for fact in [endless, off, ends] { returned.add(fact) }
        returned.wait(.seconds(2))
        returned.add(SmallLog.runEnds)
        #expect(returned.answer(of: BackgroundTasksAreBalanced()) == .held)
    }

    @Test func `the time of a task does not run while a mode holds the app`() {
        func fact(_ stage: AppStage) -> RunEvent.Fact {
            .device(.appEntered(launch: 1, stage: stage, because: "so"))
        }
        let begun: [RunEvent.Fact] = [
            .device(.stands(os: "iOS 17", wallNanoseconds: 0)), fact(.background),
            .device(.taskBegan(launch: 1, task: 1, deadline: .start + .seconds(30))),
            .device(.modeBegan(launch: 1, .location)),
        ]
        func log(_ facts: [RunEvent.Fact], then more: (inout TimedLog) -> Void) -> TimedLog {
            var log = TimedLog()
            for fact in facts { log.add(fact) }
            more(&log)
            return log
        }
        let off = RunEvent.Fact.device(.modeEnded(launch: 1, .location))
        let held = log(begun) { log in
            log.wait(.seconds(40))
            log.add(off)
            log.wait(.seconds(29))
            log.add(ends, SmallLog.runEnds)
        }
        #expect(held.answer(of: BackgroundTasksAreBalanced()) == .held)
        #expect(held.decided("time stands still", by: BackgroundTasksAreBalanced()) == 1)
        let late = log(begun) { log in
            log.wait(.seconds(40))
            log.add(off)
            log.wait(.seconds(31))
            log.add(nothing)
        }
        #expect(
            late.answer(of: BackgroundTasksAreBalanced())
                == late.brokenAtLast(
                    expected: "background task 1 is ended before 70 s",
                    seen: "it is not, although its app is alive"))
        let expired = log(begun) { $0.add(expires) }
        #expect(
            expired.answer(of: BackgroundTasksAreBalanced())
                == expired.brokenAtLast(
                    expected: "no time in the background runs out while the app tracks its "
                        + "location",
                    seen: "background task 1 expires"))
    }

    @Test func `time does not count in front`() {
        let front = RunEvent.Fact.device(.appEntered(launch: 1, stage: .active, because: "a tap"))
        let log = [begins, front] + Array(repeating: nothing, count: 6) + [ends, SmallLog.runEnds]
        #expect(judge(log) == .held)
    }

    @Test func `a task that is begun after expiry falls, unless the app was in front again`() {
        let again = RunEvent.Fact.device(.taskBegan(launch: 1, task: 2, deadline: nil))
        let log = [begins, expires, ends]
        #expect(
            judge(log + [again])
                == broken(
                    at: 3,
                    expected:
                        "no task is begun after time is up, until the app is in the foreground "
                        + "again",
                    seen: "background task 2 begins"))
        let front = RunEvent.Fact.device(.appEntered(launch: 1, stage: .inactive, because: "a tap"))
        let done = RunEvent.Fact.device(.taskEnded(launch: 1, task: 2))
        #expect(judge(log + [front, again, done, SmallLog.runEnds]) == .held)
    }

    @Test func `an end without a beginning, or a second one, falls`() {
        let expected = "only a task that was begun is ended, and only once"
        #expect(judge([ends]) == broken(at: 0, expected: expected, seen: "background task 1 ends"))
        #expect(
            judge([begins, ends, ends])
                == broken(at: 2, expected: expected, seen: "background task 1 ends"))
    }

    @Test(arguments: [ProcessEnd.taskOverdue, .taskBegunAtExpiry])
    func `an app that is killed for its tasks falls`(why: ProcessEnd) {
        #expect(
            judge([begins, .device(.appKilled(launch: 1, why: why)), SmallLog.runEnds])
                == broken(
                    at: 1, expected: "the app gives its background time back before it is up",
                    seen: "it did not, and is killed"))
    }

    @Test func `what a killed app had begun is over`() {
        #expect(judge([begins, SmallLog.killed, SmallLog.runEnds]) == .held)
    }

    @Test func `a log without a task is not applicable`() {
        #expect(judge([nothing]) == .notApplicable(because: "no background task was begun"))
    }

    private func judge(_ facts: [RunEvent.Fact]) -> Verdict.Answer {
        answer(of: BackgroundTasksAreBalanced(), to: facts)
    }
}
