package import RunLog

/// S13: "No byte over a disallowed interface; no output of an engine that is suspended or dead."
/// Its two halves read different facts, and each has a file of its own.
package struct NothingOutOfBounds: Check {
    private var networks = NothingOverDisallowedNetworks()
    private var processes = NothingFromTheSuspended()

    package init() {}

    package var rule: String { networks.rule }
    package var statement: String { "\(networks.statement); \(processes.statement)" }

    package mutating func read(_ event: RunEvent) {
        networks.read(event)
        processes.read(event)
    }

    package func verdict() -> Verdict.Answer {
        switch (networks.verdict(), processes.verdict()) {
        case (.broken(let first), .broken(let second)):
            .broken(first.event <= second.event ? first : second)
        case (.broken(let breach), _), (_, .broken(let breach)): .broken(breach)
        case (.notApplicable(let first), .notApplicable(let second)):
            .notApplicable(because: "\(first), and \(second)")
        case (.held, _), (_, .held), (.excused, _), (_, .excused): .held
        }
    }
}
