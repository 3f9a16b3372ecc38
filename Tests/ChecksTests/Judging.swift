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

/// Returns how often a log decides a clause of a check; its events are a millisecond apart, or as
/// far as `apart` says.
func decided(
    _ clause: String, by check: any Check, in facts: [RunEvent.Fact],
    apart: TimeSpan = .milliseconds(1)
) -> Int? {
    var check = check
    var now = Instant.start
    for fact in facts {
        check.read(RunEvent(at: now, fact))
        now = now + apart
    }
    return check.clauses.first { $0.name == clause }?.decided
}
