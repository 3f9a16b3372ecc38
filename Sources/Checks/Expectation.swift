import RunLog

/// A rule that a scenario expects its run to obey.
/// Its state has no access modifier, so that the memberwise initialiser is there for the plan.
protocol Expectation: RunLogReader, Sendable {
    var statement: String { get }
    /// The place in the log, which `Expected` advances.
    var watch: Watch { get set }
    /// Why the log has nothing to judge; `nil` if it has something.
    var reasonNotToJudge: String? { get }
    /// What the rule is about, if a report can explain a breach by it.
    var subject: RuleSubject? { get }
}

extension Expectation {
    var reasonNotToJudge: String? { watch.missingEnd }
    var subject: RuleSubject? { nil }
    mutating func read(packets: UnsafeBufferPointer<PacketRecord>) {}
}

/// The check of an expectation, named by the scenario's words.
struct Expected<Rule: Expectation>: Check {
    let rule: String
    let place: String?
    var expectation: Rule

    var statement: String { expectation.statement }
    var subject: RuleSubject? { expectation.subject }

    mutating func read(_ event: RunEvent) {
        expectation.watch.step(to: event)
        expectation.read(event)
    }

    mutating func read(packets: UnsafeBufferPointer<PacketRecord>) {
        expectation.read(packets: packets)
    }

    func verdict() -> Verdict.Answer {
        expectation.watch.answer(notApplicableBecause: expectation.reasonNotToJudge)
    }
}
