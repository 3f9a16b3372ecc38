import RunLog

/// S13: "No byte over a disallowed interface; no output of an engine that is suspended or dead."
/// Its two halves read different facts, and each has a file of its own.
struct NothingOutOfBounds: Check {
    private var networks = NothingOverDisallowedNetworks()
    private var processes = NothingFromTheSuspended()

    var rule: String { networks.rule }
    var statement: String { "\(networks.statement); \(processes.statement)" }

    mutating func read(_ event: RunEvent) {
        networks.read(event)
        processes.read(event)
    }

    var clauses: [DecidedClause] { networks.clauses + processes.clauses }

    func verdict() -> Verdict.Answer {
        switch (networks.verdict(), processes.verdict()) {
        case (.notApplicable(let first), .notApplicable(let second)):
            .notApplicable(because: "\(first), and \(second)")
        case (let first, let second): [first, second].together
        }
    }
}
