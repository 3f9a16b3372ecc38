import Checks
import Reports
import Testing

@Suite struct JudgementTests {
    @Test func `what held and what was silent are told apart`() {
        let judgement = Judgement(verdicts: SampleRun.held)
        #expect(judgement.isGreen)
        #expect(judgement.sentence == "8 rules held; 1 had nothing to judge")
    }

    @Test func `a run in which nothing was judged does not claim that something held`() {
        let silent = SampleRun.verdict("S1", "x", .notApplicable(because: "no upload"))
        let judgement = Judgement(verdicts: [silent])
        #expect(judgement.sentence == "no rule failed, but no rule had anything to judge")
    }

    @Test func `a broken rule is red, and a canary's own rule green`() {
        #expect(!Judgement(verdicts: SampleRun.fallen).isGreen)
        let canary = Judgement(verdicts: SampleRun.fallen, mustFail: "S3")
        #expect(canary.isGreen)
        #expect(canary.sentence == "S3 failed, as this scenario demands")
        #expect(!Judgement(verdicts: SampleRun.held, mustFail: "S3").isGreen)
    }
}
