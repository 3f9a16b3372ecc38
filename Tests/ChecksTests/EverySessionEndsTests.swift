import Checks
import RunLog
import Testing

@Suite struct EverySessionEndsTests {
    @Test(arguments: [SessionStage.completed, .failed])
    func `a session that ends holds`(end: SessionStage) {
        let log = [
            SmallLog.accepted(), SmallLog.stage(.waiting, .running), SmallLog.stage(.running, end),
            SmallLog.runEnds,
        ]
        #expect(judge(log) == .held)
    }

    @Test func `a log without sessions or without an end is not applicable`() {
        #expect(judge([]) == .notApplicable(because: "no session was accepted"))
        #expect(judge([SmallLog.runEnds]) == .notApplicable(because: "no session was accepted"))
        let cut = "the log stops before the run's end"
        #expect(judge([SmallLog.accepted()]) == .notApplicable(because: cut))
    }

    @Test(arguments: [SessionStage.running, .retrying, .waiting])
    func `a session that the run's end finds unfinished falls`(stage: SessionStage) {
        let log = [
            SmallLog.accepted(1), SmallLog.stage(1, .waiting, .running),
            SmallLog.stage(1, .running, .completed), SmallLog.accepted(2),
            SmallLog.stage(2, .running, stage), SmallLog.runEnds,
        ]
        #expect(
            judge(log)
                == broken(
                    at: 5, expected: "session 2 has completed or failed",
                    seen: "session 2 is \(stage.rawValue) when the run ends: "
                        + "nothing was left to happen"))
    }

    @Test func `a session that never moved falls`() {
        #expect(
            judge([SmallLog.accepted(), SmallLog.runEnds])
                == broken(
                    at: 1, expected: "session 1 has completed or failed",
                    seen: "session 1 is waiting when the run ends: nothing was left to happen"))
    }

    private func judge(_ facts: [RunEvent.Fact]) -> Verdict.Answer {
        answer(of: EverySessionEnds(), to: facts)
    }
}
