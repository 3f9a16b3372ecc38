import Checks
import Quantities
import RunLog

/// What a check says to a log whose events are a millisecond apart, the first at the run's start.
func answer(of check: any Check, to facts: [RunEvent.Fact]) -> Verdict.Answer {
    var check = check
    for (order, fact) in facts.enumerated() {
        check.read(RunEvent(at: .start + .milliseconds(Int64(order)), fact))
    }
    return check.verdict()
}

/// The same, of a log in which some events are those of other apps than the first.
func answer(
    of check: any Check, toAll log: [(app: UInt16?, fact: RunEvent.Fact)]
) -> Verdict.Answer {
    var check = check
    for (order, entry) in log.enumerated() {
        check.read(
            RunEvent(at: .start + .milliseconds(Int64(order)), app: entry.app, entry.fact))
    }
    return check.verdict()
}

/// A breach of such a log at its event with this index.
func broken(at event: Int, expected: String, seen: String) -> Verdict.Answer {
    let at = Instant.start + .milliseconds(Int64(event))
    return .broken(Breach(event: event, at: at, expected: expected, seen: seen))
}
