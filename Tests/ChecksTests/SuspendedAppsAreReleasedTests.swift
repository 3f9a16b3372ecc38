import RunLog
import Testing

@testable import Checks

/// L3: every suspended app is released or resumed.
@Suite struct SuspendedAppsAreReleasedTests {
    private let suspended = RunEvent.Fact.device(
        .appEntered(launch: 1, stage: .suspended, because: "it is behind"))

    @Test func `an app that comes back, is killed or has nothing left to do holds`() {
        let back = RunEvent.Fact.device(
            .appEntered(launch: 1, stage: .active, because: "it is back"))
        #expect(judge([SmallLog.accepted(), suspended, back, SmallLog.runEnds]) == .held)
        #expect(
            judge([SmallLog.accepted(), suspended, SmallLog.killed, SmallLog.runEnds]) == .held)
        let crash = RunEvent.Fact.device(.appCrashed(launch: 1, how: "a signal"))
        #expect(judge([SmallLog.accepted(), suspended, crash, SmallLog.runEnds]) == .held)
        for end in [ItemStage.completed, .failed] {
            // Reported twice, as after another launch.
            let done = [
                SmallLog.accepted(), SmallLog.accepted(), SmallLog.stage(.running, end),
            ]
            #expect(judge(done + [suspended, SmallLog.runEnds]) == .held)
        }
    }

    @Test func `a transfer that a launch finds suspended waits for its user`() {
        let transfer = ItemName(1, of: .bucket)
        let runs = RunEvent.Fact.engine(
            .moves(transfer, from: .suspended, to: .running, because: "the app goes on with it"))
        let found = RunEvent.Fact.engine(.found(transfer, .suspended))
        let back = [runs, SmallLog.killed, SmallLog.launched]
        #expect(judge(back + [found, suspended, SmallLog.runEnds]) == .held)
        #expect(judge(back + [suspended, SmallLog.runEnds]) != .held)
    }

    @Test func `the end of one session is not that of another`() {
        let log = [
            SmallLog.accepted(1), SmallLog.accepted(2), SmallLog.stage(1, .running, .completed),
            suspended, SmallLog.runEnds,
        ]
        #expect(
            judge(log)
                == broken(
                    at: 4, expected: "launch 1 of the app is resumed to finish session 2",
                    seen: "it is still suspended when the run ends"))
    }

    @Test func `each app is suspended, released and done by itself`() {
        let other = RunEvent.Fact.device(
            .appEntered(launch: 2, stage: .suspended, because: "it is behind"))
        let expected = "launch 2 of the app is resumed to finish session 2"
        let seen = "it is still suspended when the run ends"
        #expect(
            judge([
                (nil, SmallLog.accepted(1)), (2, SmallLog.accepted(2)), (2, other),
                (nil, suspended), (nil, SmallLog.killed), (nil, SmallLog.runEnds),
            ]) == broken(at: 5, expected: expected, seen: seen))
        #expect(
            judge([
                (2, SmallLog.accepted(2)), (2, other), (nil, suspended), (nil, SmallLog.runEnds),
            ]) == broken(at: 3, expected: expected, seen: seen))
        #expect(
            judge([
                (2, SmallLog.accepted(2)), (nil, suspended), (nil, SmallLog.runEnds),
            ]) == .held)
    }

    @Test func `of several apps that are left the first is told`() {
        let other = RunEvent.Fact.device(
            .appEntered(launch: 2, stage: .suspended, because: "it is behind"))
        #expect(
            judge([
                (2, SmallLog.accepted(2)), (2, other), (nil, SmallLog.accepted(1)),
                (nil, suspended), (nil, SmallLog.runEnds),
            ])
                == broken(
                    at: 4, expected: "launch 1 of the app is resumed to finish session 1",
                    seen: "it is still suspended when the run ends"))
    }

    @Test func `one with work left that never comes back falls`() {
        #expect(
            judge([SmallLog.accepted(), suspended, SmallLog.runEnds])
                == broken(
                    at: 2, expected: "launch 1 of the app is resumed to finish session 1",
                    seen: "it is still suspended when the run ends"))
    }

    @Test func `a log without a suspension or an end is not applicable`() {
        let front = RunEvent.Fact.device(
            .appEntered(launch: 1, stage: .active, because: "a tap"))
        #expect(
            judge([front, SmallLog.runEnds]) == .notApplicable(because: "no app was suspended"))
        #expect(
            judge([suspended]) == .notApplicable(because: "the log ends before the run does"))
    }

    private func judge(_ facts: [RunEvent.Fact]) -> Verdict.Answer {
        answer(of: SuspendedAppsAreReleased(), to: facts)
    }

    private func judge(_ log: [(UInt16?, RunEvent.Fact)]) -> Verdict.Answer {
        answer(of: SuspendedAppsAreReleased(), toAll: log)
    }
}
