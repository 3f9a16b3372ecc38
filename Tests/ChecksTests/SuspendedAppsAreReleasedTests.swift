import Checks
import RunLog
import Testing

@Suite struct SuspendedAppsAreReleasedTests {
    private let suspended = RunEvent.Fact.device(
        .appEntered(launch: 1, stage: .suspended, because: "it is behind"))

    @Test func `an app that comes back, is killed or has nothing left to do holds`() {
        let back = RunEvent.Fact.device(
            .appEntered(launch: 1, stage: .active, because: "it is back"))
        #expect(judge([SmallLog.accepted(), suspended, back, SmallLog.runEnds]) == .held)
        #expect(
            judge([SmallLog.accepted(), suspended, SmallLog.killed, SmallLog.runEnds]) == .held)
        let done = [SmallLog.accepted(), SmallLog.stage(.running, .completed)]
        #expect(judge(done + [suspended, SmallLog.runEnds]) == .held)
    }

    @Test func `one with work left that never comes back falls`() {
        #expect(
            judge([SmallLog.accepted(), suspended, SmallLog.runEnds])
                == broken(
                    at: 2, expected: "launch 1 of the app comes back to finish session 1",
                    seen: "it is still suspended when the run ends"))
    }

    @Test func `a log without a suspension or an end is not applicable`() {
        #expect(judge([SmallLog.runEnds]) == .notApplicable(because: "no app was suspended"))
        #expect(
            judge([suspended]) == .notApplicable(because: "the log stops before the run's end"))
    }

    private func judge(_ facts: [RunEvent.Fact]) -> Verdict.Answer {
        answer(of: SuspendedAppsAreReleased(), to: facts)
    }
}
