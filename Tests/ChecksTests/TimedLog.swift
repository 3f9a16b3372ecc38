import Checks
import Quantities
import RunLog

/// A log in which only `wait` lets time pass.
struct TimedLog {
    private(set) var events: [RunEvent] = []
    private var now = Instant.start

    mutating func add(_ facts: RunEvent.Fact...) {
        events += facts.map { RunEvent(at: now, $0) }
    }

    mutating func wait(_ span: TimeSpan) { now = now + span }

    func answer(of check: any Check) -> Verdict.Answer {
        var check = check
        for event in events { check.read(event) }
        return check.verdict()
    }

    func decided(_ clause: String, by check: any Check) -> Int? {
        var check = check
        for event in events { check.read(event) }
        return check.clauses.first { $0.name == clause }?.decided
    }

    func brokenAtLast(expected: String, seen: String) -> Verdict.Answer {
        .broken(Breach(event: events.count - 1, at: now, expected: expected, seen: seen))
    }
}
