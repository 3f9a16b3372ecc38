import Quantities
import RunLog
import Testing

@testable import Checks

/// The clauses of all invariants, and the way of their counts into the verdicts.
@Suite struct ClauseTests {
    @Test func `each clause has a title of its own and a sentence`() {
        let clauses = InvariantCatalogue.clauses
        #expect(Set(clauses.map(\.title)).count == clauses.count)
        #expect(Set(clauses.map(\.rule)) == Set(InvariantCatalogue.checks().map(\.rule)))
        for clause in clauses {
            #expect(clause.sentence.count > 20 && !clause.sentence.hasSuffix("."), "\(clause)")
            #expect(clause.title.allSatisfy { $0 != ":" && $0 != "#" }, "\(clause) in YAML")
        }
    }

    @Test func `an empty log decides nothing`() {
        for verdict in CheckSet(expectations: []).verdicts() {
            #expect(verdict.clauses?.allSatisfy { $0.decided == 0 } == true, "\(verdict.rule)")
        }
    }

    @Test func `a verdict has the counts, and an excused rule has none`() {
        func count(_ excuses: [String: String]) -> Int? {
            var set = CheckSet(expectations: [], excuses: excuses)
            for fact in [SmallLog.created(), SmallLog.sends(from: 0)] {
                set.read(RunEvent(at: .start, fact))
            }
            let verdict = set.verdicts().first { $0.rule == "S3" }
            return verdict?.clauses?.first { $0.clause == "asked" }?.decided
        }
        #expect(count([:]) == 1)
        #expect(count(["S3": "the server forgets everything"]) == nil)
    }

    @Test func `the counts of several apps are added`() throws {
        var check = PerApp(BackgroundTasksAreBalanced())
        var beginning = RunBeginning(
            scenario: "", world: .simulated, seed: 1, text: "", path: "", sentences: [],
            sessions: 0, command: "")
        beginning.apps = 2
        check.read(RunEvent(at: .start, .run(.began(beginning))))
        for app in [1, 2] as [UInt16] {
            check.read(
                RunEvent(
                    at: .start, app: app,
                    .device(.taskBegan(launch: UInt32(app), task: 1, deadline: nil))))
        }
        #expect(check.clauses.first { $0.name == "ended" }?.decided == 2)
    }
}
