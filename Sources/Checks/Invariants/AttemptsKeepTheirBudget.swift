import Quantities
package import RunLog

/// S10: "Attempts ≤ budget; gaps ≥ backoff and ≥ Retry-After; every failure spends budget."
///
/// Budget and pauses are those of behaviour A16. A task of a background session has time instead of
/// a number of attempts (B10).
package struct AttemptsKeepTheirBudget: Check {
    private var watch = Watch()
    private var sessions: [ItemName: Session] = [:]
    private var owners: [ConnectionName: ItemName] = [:]
    private var hasEvidence = false
    /// Failures on their way into the store: each is in the next change that is asked for.
    private var unstored: [Unstored] = []
    /// Then all that it has not promised may be forgotten, and not only what it had no time for.
    private var storeHasFailed = false
    private var delays = BackgroundDelays()

    private struct Unstored: Sendable {
        var session: ItemName
        var failures: Int
        var ticket: UInt64?
    }

    private struct Session: Sendable {
        var failures = 0
        /// So many of them the store has promised to keep.
        var durable = 0
        /// The next attempt comes then at the earliest.
        var notBefore: Instant?
        /// When the first attempt began.
        var since: Instant?
        /// After a kill: so many at least are remembered (S7).
        var remembered: Int?
    }

    private static let retries = 7
    private static let first = TimeSpan.seconds(2)
    private static let longest = TimeSpan.seconds(60)
    private static let timeOfTask = TimeSpan.seconds(7 * 24 * 3600)

    package init() {}

    package var rule: String { "S10" }
    package var statement: String {
        "a session has at most \(Self.retries) retries, each after its pause and after what the "
            + "server asked for, and every failure counts; a task that is made in the background "
            + "has its delay"
    }

    package mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        do throws(BackgroundDelays.Slip) { try delays.read(event) } catch {
            watch.fall(expected: error.expected, seen: error.seen)
        }
        switch event.fact {
        case .engine(.attempt(let session, let number)):
            hasEvidence = true
            judge(session, attempt: number, at: event.at)
        case .engine(.fails(let session, _, _, let pause)):
            judge(session, failingAt: event.at, pause: pause)
            let failures = sessions[session]?.failures ?? 0
            unstored.append(Unstored(session: session, failures: failures))
        // Only this renews the budget, and it waits for nothing.
        case .queue(.asked(let session, .run)):
            sessions[session]?.failures = 0
            sessions[session]?.notBefore = nil
        case .store(.requested(let ticket, _, _)):
            for place in unstored.indices where unstored[place].ticket == nil {
                unstored[place].ticket = ticket
            }
        case .store(.committed(let ticket)): store(ticket)
        case .store(.failed): storeHasFailed = true
        case .connection(.opening(let connection, _, let item)): owners[connection] = item
        case .connection(.ended(let connection, _, _)): owners[connection] = nil
        case .connection(.response(let connection, _, let retryAfter)):
            guard let retryAfter, let session = owners[connection] else { return }
            let before = sessions[session]?.notBefore ?? event.at
            sessions[session]?.notBefore = max(event.at + retryAfter, before)
        // Whoever is launched again waits for nothing, but remembers what it has spent.
        case .device(.appKilled), .device(.appCrashed):
            sessions = sessions.mapValues {
                Session(
                    failures: $0.failures, durable: $0.durable, notBefore: nil, since: $0.since,
                    remembered: storeHasFailed ? $0.durable : max(0, $0.failures - 1))
            }
            unstored.removeAll()
        default: break
        }
    }

    package func verdict() -> Verdict.Answer {
        watch.answer(notApplicableBecause: hasEvidence ? nil : "nothing was attempted")
    }

    private mutating func judge(_ name: ItemName, attempt number: Int, at now: Instant) {
        var session = sessions[name] ?? Session()
        let since = session.since ?? now
        session.since = since
        defer {
            session.failures = number - 1
            session.durable = min(session.durable, number - 1)
            session.notBefore = nil
            session.remembered = nil
            sessions[name] = session
        }
        let expected = session.failures + 1
        let least = session.remembered.map { $0 + 1 } ?? expected
        if number < min(least, expected) || number > expected {
            return watch.fall(
                expected: "attempt \(expected) of \(name), as \(session.failures) failed",
                seen: "it is called attempt \(number)")
        }
        if name.facade == .background {
            if now > since + Self.timeOfTask {
                return watch.fall(
                    expected: "\(name) is given up \(Self.timeOfTask) after its first attempt",
                    seen: "attempt \(number) begins")
            }
        } else if number > Self.retries + 1 {
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

    private mutating func store(_ ticket: UInt64) {
        for stored in unstored where stored.ticket == ticket {
            sessions[stored.session]?.durable = stored.failures
        }
        unstored.removeAll { $0.ticket == ticket }
    }

    private mutating func judge(
        _ name: ItemName, failingAt now: Instant, pause: TimeSpan?
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
