import Checks
import Quantities
import RunLog

/// Returns the check's answer to a log whose events are a millisecond apart, from the run's start.
func answer(of check: any Check, to facts: [RunEvent.Fact]) -> Verdict.Answer {
    var check = check
    for (order, fact) in facts.enumerated() {
        check.read(RunEvent(at: .start + .milliseconds(Int64(order)), fact))
    }
    return check.verdict()
}

/// Returns the check's answer to a log with events of several apps, a millisecond apart.
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

/// Returns a breach at the event with this index, in a log with an event every millisecond.
func broken(at event: Int, expected: String, seen: String) -> Verdict.Answer {
    let at = Instant.start + .milliseconds(Int64(event))
    return .broken(Breach(event: event, at: at, expected: expected, seen: seen))
}
