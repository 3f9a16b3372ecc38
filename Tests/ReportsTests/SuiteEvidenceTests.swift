import Checks
import Foundation
import Reports
import Testing

/// A suite that demands evidence of each clause of the invariants.
@Suite struct SuiteEvidenceTests {
    private static let clauses = InvariantCatalogue.clauses
    private static let missing = clauses[3]

    /// Two green runs: the first decides all clauses but one, and the second decides `count` of it.
    private static func suite(
        _ count: Int, exceptions: [EvidenceDemand.Exception] = []
    ) -> Suite {
        var suite = Suite(entries: [SampleRun.suite.entries[0], SampleRun.suite.entries[0]])
        suite.entries[0].evidence = tally(clauses.filter { $0 != missing }, 2)
        suite.entries[1].evidence = tally([missing], count)
        suite.entries[1].folder = "other"
        suite.demand = EvidenceDemand(place: "suite.yaml:9:11", exceptions: exceptions)
        return suite
    }

    private static func tally(_ clauses: [Clause], _ count: Int) -> ClauseTally {
        ClauseTally(
            clauses.map {
                Verdict(
                    rule: $0.rule, statement: "", kind: .invariant, answer: .held,
                    clauses: [ClauseCount(clause: $0.name, decided: count)])
            })
    }

    private static let exception = EvidenceDemand.Exception(
        clause: missing.title, reason: "no phone here has two of them", place: "suite.yaml:11:3")

    @Test func `a suite in which each clause was decided is green`() {
        let suite = Self.suite(1)
        #expect(suite.shortfalls.isEmpty && suite.isGreen)
        let page = SuiteIndex.document(for: suite)
        #expect(page.contains("Each of the \(Self.clauses.count) clauses was decided"))
        #expect(page.contains("href=\"other/report.html\""))
        #expect(!page.contains("✘"))
    }

    @Test func `a clause that nothing decided makes the suite red, and says what to do`() {
        let suite = Self.suite(0)
        #expect(!suite.isGreen)
        #expect(suite.shortfalls.map(\.place) == ["suite.yaml:9:11"])
        let lines = TerminalSummary(isColoured: false).total(of: suite)
        #expect(
            lines
                == "    no run could have failed “\(Self.missing.title)”: "
                + "\(Self.missing.sentence); add a scenario that decides it, or an exception with "
                + "its reason; required in suite.yaml:9:11\n"
                + "2 runs: 2 green, ✘ 1 short of evidence")
        let page = SuiteIndex.document(for: suite)
        #expect(page.contains("Every run is green, but 1 clause is short of evidence"))
        #expect(page.contains("1 of the \(Self.clauses.count) clauses were never decided."))
        let cases = SampleRun.junit(of: suite)
        #expect(cases.contains("tests=\"3\" failures=\"1\""))
        let summary = String(decoding: SuiteJSON.data(for: suite), as: UTF8.self)
        #expect(summary.contains("\"shortfalls\" : ["))
    }

    @Test func `an exception needs no evidence, and must not have any`() {
        let without = Self.suite(0, exceptions: [Self.exception])
        #expect(without.isGreen)
        #expect(SuiteIndex.document(for: without).contains("never: no phone here has two of them"))
        let with = Self.suite(1, exceptions: [Self.exception])
        #expect(with.shortfalls.map(\.place) == ["suite.yaml:11:3"])
        #expect(with.shortfalls.map(\.remedy) == ["remove the exception"])
    }

    @Test func `a suite that is played in part, or demands nothing, falls short of nothing`() {
        var suite = Self.suite(0)
        suite.interruption = SuiteInterruption(played: 2, planned: 3)
        #expect(suite.shortfalls.isEmpty)
        suite = Self.suite(0)
        suite.demand = nil
        #expect(suite.isGreen)
    }

    @Test func `the counts survive the summary`() throws {
        let suite = Self.suite(7)
        let read = try SuiteJSON.suite(from: SuiteJSON.data(for: suite))
        #expect(read.entries.map(\.evidence) == suite.entries.map(\.evidence))
        #expect(read.entries[1].evidence?[Self.missing] == 7)
    }

    @Test func `a table of clauses marks those that nothing decided`() {
        let all = Self.tally(Self.clauses.filter { $0 != Self.missing }, 1)
        let table = EvidenceTable(scenarios: all, chance: ClauseTally(), crashes: ClauseTally())
        #expect(table.empty.map(\.clause) == [Self.missing.title])
        let text = EvidenceText(isColoured: false)
        #expect(text.text(for: table).contains("✘ \(Self.missing.title) "))
        #expect(text.total(of: table).hasSuffix("✘ 1 never decided (\(Self.missing.title))"))
        let crashes = Self.tally([Self.missing], 1)
        let whole = EvidenceTable(scenarios: all, chance: ClauseTally(), crashes: crashes)
        #expect(whole.empty.isEmpty)
        #expect(text.total(of: whole).hasSuffix("✔ each was decided"))
    }
}
