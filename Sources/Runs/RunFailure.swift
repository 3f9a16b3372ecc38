package import Scenario

/// The reason why something could not be run at all: exit code 2, with what to do about it; or why
/// a run has no verdict although it began.
package struct RunFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String

    /// The trap that ended the run; `nil` if it could not be run.
    package var trap: RunTrap?

    package init(_ description: String) { self.description = description }

    init(_ trap: RunTrap) {
        description = trap.sentence
        self.trap = trap
    }

    /// Does something with files of the scenario language; their mistakes become a failure.
    static func explaining<Value>(
        _ work: () throws(ScenarioError) -> Value
    ) throws(RunFailure) -> Value {
        do { return try work() } catch { throw RunFailure(error.description) }
    }
}

extension Spelling {
    /// Asks whether the nearest known word was meant; empty if no word is near.
    package static func question(about word: String, among known: [String]) -> String {
        nearest(to: word, among: known).map { ", did you mean “\($0)”?" } ?? ""
    }
}
