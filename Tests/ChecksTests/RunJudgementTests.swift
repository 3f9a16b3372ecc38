import Checks
import Quantities
import RunLog
import Testing

@Suite struct RunJudgementTests {
    @Test func `a run is green if no check fell`() {
        #expect(judge(fallen: [], mustFail: nil) == .green)
    }

    @Test(arguments: [
        (["S3"], "S3 failed"), (["S1", "S3"], "S1 and S3 failed"),
        (["S1", "S3", "L1"], "S1, S3 and L1 failed"),
    ])
    func `a run is red if any check fell`(fallen: [String], why: String) {
        #expect(judge(fallen: fallen, mustFail: nil) == .red(why))
    }

    @Test func `a canary is green if exactly its check fell`() {
        #expect(judge(fallen: ["S3"], mustFail: "S3") == .green)
    }

    @Test func `an expectation that was never judged is red, what is only sometimes is not`() {
        let silent = { (kind: Verdict.Kind) in
            Verdict(
                rule: "it ends", statement: "", kind: kind,
                answer: .notApplicable(because: "the log stops"))
        }
        #expect(
            RunJudgement(verdicts: [silent(.expectation)], mustFail: nil)
                == .red("“it ends” was never judged: the log stops"))
        #expect(RunJudgement(verdicts: [silent(.invariant)], mustFail: nil) == .green)
        let breach = Breach(event: 0, at: .start, expected: "this", seen: "that")
        let broken = Verdict(
            rule: "it resumes", statement: "", kind: .sometimes, answer: .broken(breach))
        #expect(
            RunJudgement(verdicts: [silent(.sometimes), broken], mustFail: nil) == .green)
    }

    @Test(
        arguments: [
            ([], "S3", "S3 must fail, but held"),
            (["L1"], "S3", "S3 must fail, but held; L1 failed instead"),
            (["S1", "S3", "L1"], "S3", "S3 failed as it must, but S1 and L1 failed, too"),
            ([], "S9", "S9 must fail, but was not applicable: there were no callbacks"),
            (
                ["S3"], "S9",
                "S9 must fail, but was not applicable: there were no callbacks; S3 failed instead"
            ),
            (["S3"], "S99", "S99 must fail, but no check has that name"),
        ] as [([String], String, String)])
    func `a canary is red otherwise, and says why`(
        fallen: [String], mustFail: String, why: String
    ) {
        #expect(judge(fallen: fallen, mustFail: mustFail) == .red(why))
    }

    private func judge(fallen: [String], mustFail: String?) -> RunJudgement {
        var verdicts = ["S1", "S3", "L1"].map { rule in
            let breach = Breach(event: 0, at: .start, expected: "this", seen: "that")
            return Verdict(
                rule: rule, statement: rule, kind: .invariant,
                answer: fallen.contains(rule) ? .broken(breach) : .held)
        }
        verdicts.append(
            Verdict(
                rule: "S9", statement: "S9", kind: .invariant,
                answer: .notApplicable(because: "there were no callbacks")))
        return RunJudgement(verdicts: verdicts, mustFail: mustFail)
    }
}
