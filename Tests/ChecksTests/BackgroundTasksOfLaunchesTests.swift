import Quantities
import RunLog
import Testing

@testable import Checks

/// S11 with several tasks, of one process or several.
@Suite struct BackgroundTasksOfLaunchesTests {
    private let nothing = RunEvent.Fact.queue(.started)

    private static func begins(
        _ launch: UInt32, _ task: UInt32, until milliseconds: Int64? = nil
    ) -> RunEvent.Fact {
        .device(
            .taskBegan(
                launch: launch, task: task,
                deadline: milliseconds.map { .start + .milliseconds($0) }))
    }

    private static func expires(
        _ launch: UInt32, _ task: UInt32, until milliseconds: Int64
    ) -> RunEvent.Fact {
        .device(
            .taskExpires(
                launch: launch, task: task, deadline: .start + .milliseconds(milliseconds)))
    }

    private static func ends(_ launch: UInt32, _ task: UInt32) -> RunEvent.Fact {
        .device(.taskEnded(launch: launch, task: task))
    }

    private static func enters(_ launch: UInt32, _ stage: AppStage) -> RunEvent.Fact {
        .device(.appEntered(launch: launch, stage: stage, because: "a tap"))
    }

    private func late(_ task: Int, at event: Int) -> Verdict.Answer {
        broken(
            at: event, expected: "background task \(task) is ended before 0.005 s",
            seen: "it is not, although its app is alive")
    }

    @Test func `a task may be ended at its deadline, and no later`() {
        let log = [Self.begins(1, 1, until: 5)] + Array(repeating: nothing, count: 4)
        #expect(judge(log + [Self.ends(1, 1), SmallLog.runEnds]) == .held)
        #expect(judge(log + [nothing, Self.ends(1, 1), SmallLog.runEnds]) == late(1, at: 6))
    }

    @Test func `a deadline that is told at expiry only counts, for that task`() {
        let log = [Self.begins(1, 1), Self.begins(1, 2), Self.expires(1, 1, until: 5)]
        let wait = Array(repeating: nothing, count: 5)
        #expect(judge(log + wait) == late(1, at: 6))
        #expect(
            judge(log + [Self.ends(1, 1)] + wait + [Self.ends(1, 2), SmallLog.runEnds]) == .held)
    }

    @Test func `who is behind, or sees another app in front, gets no more time`() {
        let wait = Array(repeating: nothing, count: 6)
        for fact in [Self.enters(1, .background), Self.enters(2, .active)] {
            #expect(judge([Self.begins(1, 1, until: 5), fact] + wait) == late(1, at: 6))
        }
        let expired = [Self.begins(1, 1), Self.expires(1, 1, until: 5), Self.ends(1, 1)]
        #expect(judge(expired + [Self.enters(2, .active), Self.begins(1, 2)]) != .held)
    }

    @Test func `one launch's expiry says nothing of another's tasks`() {
        #expect(
            judge([
                Self.begins(1, 1), Self.expires(1, 1, until: 9), Self.ends(1, 1),
                Self.begins(2, 1), Self.ends(2, 1), SmallLog.runEnds,
            ]) == .held)
    }

    @Test(arguments: [(2, 1), (1, 2)] as [(UInt32, UInt32)])
    func `a task is known by its launch and its number`(launch: UInt32, task: UInt32) {
        #expect(
            judge([Self.begins(1, 1), Self.ends(launch, task)])
                == broken(
                    at: 1, expected: "only a task that was begun is ended, and only once",
                    seen: "background task \(task) ends"))
    }

    @Test func `the end of one task leaves the others open`() {
        let log = [Self.begins(1, 1), Self.begins(1, 2), Self.ends(1, 1)]
        #expect(judge(log + [Self.ends(1, 2), SmallLog.runEnds]) == .held)
        #expect(
            judge(log + [SmallLog.runEnds])
                == broken(
                    at: 3, expected: "background task 2 is ended",
                    seen: "it is not by the run's end"))
    }

    @Test func `of several tasks that are open, or late, the first is told`() {
        #expect(
            judge([Self.begins(1, 1), Self.begins(1, 2), SmallLog.runEnds])
                == broken(
                    at: 2, expected: "background task 1 is ended",
                    seen: "it is not by the run's end"))
        let wait = Array(repeating: nothing, count: 5)
        #expect(
            judge([Self.begins(1, 1, until: 5), Self.begins(1, 2, until: 5)] + wait)
                == late(1, at: 6))
        #expect(judge([Self.begins(1, 1), Self.begins(1, 2, until: 5)] + wait) == late(2, at: 6))
    }

    @Test func `a death for other reasons ends the tasks of that launch, and no others`() {
        let crash = RunEvent.Fact.device(.appCrashed(launch: 1, how: "a signal"))
        let memory = RunEvent.Fact.device(.appKilled(launch: 1, why: .memory))
        for death in [crash, memory] {
            #expect(
                judge([
                    Self.begins(1, 1), Self.begins(2, 1), death, Self.ends(2, 1),
                    SmallLog.runEnds,
                ]) == .held)
        }
    }

    private func judge(_ facts: [RunEvent.Fact]) -> Verdict.Answer {
        answer(of: BackgroundTasksAreBalanced(), to: facts)
    }
}
