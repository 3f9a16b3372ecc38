import Quantities
package import RunLog

/// S10: "Attempts ≤ budget; gaps ≥ backoff and ≥ Retry-After; every failure spends budget."
///
/// Budget and pauses are those of behaviour A16.
package struct AttemptsKeepTheirBudget: Check {
    private var watch = Watch()
    private var sessions: [SessionName: Session] = [:]
    private var running: SessionName?
    private var owners: [ConnectionName: SessionName] = [:]
    private var hasEvidence = false

    private struct Session: Sendable {
        var failures = 0
        /// The next attempt comes then at the earliest.
        var notBefore: Instant?
        /// A kill may have taken back a failure that was not durable yet (S7).
        var mayHaveForgotten = false
    }

    private static let retries = 7
    private static let first = TimeSpan.seconds(2)
    private static let longest = TimeSpan.seconds(60)

    package init() {}

    package var rule: String { "S10" }
    package var statement: String {
        "a session has at most \(Self.retries) retries, each after its pause and after what the "
            + "server asked for, and every failure counts"
    }

    package mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        switch event.fact {
        case .engine(.attempt(let session, let number)):
            hasEvidence = true
            judge(session, attempt: number, at: event.at)
            running = session
        case .engine(.fails(let session, _, _, let pause)):
            judge(session, failingAt: event.at, pause: pause)
        case .connection(.opening(let connection, _)): owners[connection] = running
        case .connection(.ended(let connection, _, _)): owners[connection] = nil
        case .connection(.response(let connection, _, let retryAfter)):
            guard let retryAfter, let session = owners[connection] else { return }
            let before = sessions[session]?.notBefore ?? event.at
            sessions[session]?.notBefore = max(event.at + retryAfter, before)
        // Whoever is launched again waits for nothing, but remembers what it has spent.
        case .device(.appKilled), .device(.appCrashed):
            sessions = sessions.mapValues {
                Session(failures: $0.failures, notBefore: nil, mayHaveForgotten: true)
            }
        default: break
        }
    }

    package func verdict() -> Verdict.Answer {
        watch.answer(notApplicableBecause: hasEvidence ? nil : "nothing was attempted")
    }

    private mutating func judge(_ name: SessionName, attempt number: Int, at now: Instant) {
        var session = sessions[name] ?? Session()
        defer {
            session.failures = number - 1
            session.notBefore = nil
            session.mayHaveForgotten = false
            sessions[name] = session
        }
        let expected = session.failures + 1
        if number != expected, !(session.mayHaveForgotten && number == session.failures) {
            return watch.fall(
                expected: "attempt \(expected) of \(name), as \(session.failures) failed",
                seen: "it is called attempt \(number)")
        }
        if number > Self.retries + 1 {
            return watch.fall(
                expected: "\(name) fails for good after \(Self.retries) retries",
                seen: "attempt \(number) begins")
        }
        if let notBefore = session.notBefore, now < notBefore {
            watch.fall(
                expected: "attempt \(number) of \(name) at \(notBefore) or later",
                seen: "it begins at \(now)")
        }
    }

    private mutating func judge(
        _ name: SessionName, failingAt now: Instant, pause: TimeSpan?
    ) {
        var session = sessions[name] ?? Session()
        session.failures += 1
        defer { sessions[name] = session }
        guard let pause else { return }
        let least = Self.pause(afterFailures: session.failures)
        session.notBefore = max(now + max(pause, least), session.notBefore ?? now)
        guard pause < least else { return }
        watch.fall(
            expected: "\(name) pauses for \(least) at least after failure \(session.failures)",
            seen: "it pauses for \(pause)")
    }

    private static func pause(afterFailures failures: Int) -> TimeSpan {
        var pause = first
        for _ in 1..<max(failures, 1) where pause < longest { pause = pause * 2 }
        return min(pause, longest)
    }
}
