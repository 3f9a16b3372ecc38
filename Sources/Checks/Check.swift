package import RunLog

/// A rule that a run must obey, watched from outside: it reads the log and nothing else.
package protocol Check: RunLogReader, Sendable {
    /// `S8`, `L1`; for an expectation its words in the scenario.
    var rule: String { get }
    /// What must hold, in one sentence.
    var statement: String { get }
    /// `file:line:column` of the scenario that asks for it; `nil` for an invariant.
    var place: String? { get }
    /// The answer so far; asked once, when the log is complete.
    func verdict() -> Verdict.Answer
}

extension Check {
    package var place: String? { nil }
    package mutating func read(packets: UnsafeBufferPointer<PacketRecord>) {}
}
