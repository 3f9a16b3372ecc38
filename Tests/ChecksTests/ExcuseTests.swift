import Checks
import Quantities
import RunLog
import Testing

/// A scenario may excuse an invariant, with a reason; it cannot excuse an expectation.
@Suite struct ExcuseTests {
    @Test func `an excused invariant that falls is excused, with its breach, and the run is green`()
    {
        let verdicts = verdicts(excuses: ["L1": "the app is never started again"])
        let verdict = verdicts.first { $0.rule == "L1" }
        guard case .excused("the app is never started again", _) = verdict?.answer else {
            Issue.record("\(String(describing: verdict?.answer))")
            return
        }
        #expect(RunJudgement(verdicts: verdicts, mustFail: nil) == .green)
    }

    @Test func `without the excuse the same run is red`() {
        let verdicts = verdicts(excuses: ["S3": "another rule"])
        #expect(RunJudgement(verdicts: verdicts, mustFail: nil) == .red("L1 failed"))
    }

    @Test func `a canary cannot excuse what must fail`() {
        let verdicts = verdicts(excuses: ["L1": "no"])
        #expect(
            RunJudgement(verdicts: verdicts, mustFail: "L1")
                == .red("L1 must fail, but is excused: no"))
    }

    private func verdicts(excuses: [String: String]) -> [Verdict] {
        var checks = CheckSet(expectations: [], excuses: excuses)
        for fact in [SmallLog.accepted(), SmallLog.runEnds] {
            checks.read(RunEvent(at: .start, fact))
        }
        return checks.verdicts()
    }
}
