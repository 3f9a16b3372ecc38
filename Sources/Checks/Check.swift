package import RunLog

/// A rule that a run must obey, watched from outside: it reads the log and nothing else.
package protocol Check: RunLogReader, Sendable {
    /// The check's name: `S8` or `L1`, or the scenario's words for an expectation.
    var rule: String { get }
    /// The rule, in one sentence.
    var statement: String { get }
    /// The place in the scenario, as `file:line:column`; `nil` for an invariant.
    var place: String? { get }
    /// What the rule is about, if a report can explain a breach by it.
    var subject: RuleSubject? { get }
    /// The clauses of an invariant, and how often the log decided each; called at the end.
    var clauses: [DecidedClause] { get }
    /// Returns the verdict; called once, at the end of the log.
    func verdict() -> Verdict.Answer
}

extension Check {
    package var place: String? { nil }
    package var subject: RuleSubject? { nil }
    package var clauses: [DecidedClause] { [] }
    package mutating func read(packets: UnsafeBufferPointer<PacketRecord>) {}
}

/// A check that every run must pass. It advances its watch with each event.
protocol Invariant: Check {
    var watch: Watch { get }
    /// Why the log has nothing to judge; `nil` if it has something.
    var reasonNotToJudge: String? { get }
}

extension Invariant {
    func verdict() -> Verdict.Answer { watch.answer(notApplicableBecause: reasonNotToJudge) }
}
