import Checks
import Quantities
import Reports
import Testing

/// A *sometimes* is for the suite: a run that does not reach it has done nothing wrong.
@Suite struct UnreachedTests {
    private static let seen = Breach(
        event: 12, at: .start + .seconds(3), expected: "a resumption", seen: "none")
    private static let unreached = Verdict(
        rule: "a session resumes", statement: "", kind: .sometimes, answer: .broken(seen))

    @Test func `a green run's page marks nothing as failed`() {
        let model = SampleRun().model(verdicts: SampleRun.held + [Self.unreached])
        #expect(model.judgement.isGreen)
        let page = HTMLReport.document(for: model, charts: nil)
        #expect(page.contains("– not reached"))
        for mark in ["✘", "class=\"broken\"", "class=\"fallen\"", "failed rule"] {
            #expect(!page.contains(mark), "\(mark)")
        }
    }

    @Test func `a red run's page begins with what failed`() throws {
        let breach = Breach(
            event: 20, at: .start + .seconds(5), expected: "an append at 3 MB", seen: "a gap")
        let broken = Verdict(
            rule: "S1", statement: "no gaps", kind: .invariant, answer: .broken(breach))
        let page = HTMLReport.document(
            for: SampleRun().model(verdicts: [Self.unreached, broken]), charts: nil)
        let mark = page.firstRange(of: "<div class=\"fallen\">")
        let first = try #require(mark)
        #expect(page[first.upperBound...].hasPrefix("<h2>S1: no gaps</h2>"))
        #expect(page.ranges(of: "<div class=\"fallen\">").count == 1)
    }
}
