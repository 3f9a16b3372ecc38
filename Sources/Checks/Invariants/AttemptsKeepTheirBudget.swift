import Quantities
import RunLog

/// S10: "Attempts ≤ budget; gaps ≥ backoff and ≥ Retry-After; every failure spends budget."
///
/// Budget and pauses come from behaviour A16. A background task has a time limit, not a number of
/// attempts (B10).
struct AttemptsKeepTheirBudget: Invariant {
    private(set) var watch = Watch()
    private var sessions: [ItemName: Session] = [:]
    private var owners: [ConnectionName: ItemName] = [:]
    private var refusals = RefusedRequests()
    private var hasEvidence = false
    /// Earlier counts of failures, until the store has confirmed the change.
    private var unstored = Unpromised<Int>()
    /// Earlier counts of failures of tasks, which the daemon's store keeps.
    private var unstoredTasks = Unpromised<Int>()
    private var delays = BackgroundDelays()
    private(set) var evidence = Evidence<Clause>()

    private struct Session: Sendable {
        var failures = 0
        /// The earliest moment of the next attempt.
        var notBefore: Instant?
        /// The moment of the first attempt.
        var since: Instant?
        /// The end of the pause that the failure itself demands, and of the server's Retry-After.
        var backoff: Instant?
        var asked: (until: Instant, isDate: Bool)?
        /// The first progress that the last attempt has reported, whether it has moved more, and
        /// whether its process has died since.
        var reached: ByteCount?
        var hasMoved = false
        var wasCut = false
        /// Failures that an explicit run has forgiven.
        var forgiven = 0
        /// Other counts of failures that the store may hold after a kill (S7).
        var remembered: Set<Int> = []
    }

    private static let retries = 7
    private static let first = TimeSpan.seconds(2)
    private static let longest = TimeSpan.seconds(60)
    private static let timeOfTask = TimeSpan.seconds(7 * 24 * 3600)
    /// The longest time between two attempts of a task without an answer.
    private static let patience = TimeSpan.seconds(60)

    var rule: String { "S10" }
    var subject: RuleSubject? { .attempts }
    var statement: String {
        "a session has at most \(Self.retries) retries, each after its pause and the server's "
            + "Retry-After, and every failure counts; a task that is made in the background is "
            + "delayed"
    }

    mutating func read(_ event: RunEvent) {
        watch.step(to: event)
        do throws(Slip) { try delays.read(event) } catch { watch.fall(error) }
        do throws(Slip) { try refusals.read(event) } catch { watch.fall(error) }
        switch event.fact {
        case .engine(.attempt(let session, let number)):
            hasEvidence = true
            judge(session, attempt: number, at: event.at)
        case .engine(.fails(let session, _, _, let pause)):
            recall(session, by: pause)
            count(session)
            judge(session, failingAt: event.at, pause: pause)
        case .queue(.asked(let session, .run)): renew(session)
        case .operations(.asked(let operation, .retry)): renew(operation)
        case .entries(.asked(let transfer, .transfer)): renew(transfer)
        case .store(let fact): unstored.read(fact)
        case .daemon(.store(let fact, let device)):
            unstoredTasks.read(fact, of: device)
            if case .opened = fact { daemonBegins(on: device) }
        case .connection(.opening(let connection, _, let item)): owners[connection] = item
        case .connection(.ended(let connection, _, _)): owners[connection] = nil
        case .connection(.response(let connection, _, let asked?)):
            guard let retryAfter = asked.pause, let session = owners[connection] else { return }
            let before = sessions[session]?.notBefore ?? event.at
            let until = event.at + retryAfter
            sessions[session]?.notBefore = max(until, before)
            sessions[session]?.asked = (until, asked.date != nil && asked.field.contains(":"))
        // A new launch does not wait, but remembers the failures.
        case .device(.appKilled), .device(.appCrashed): cut()
        case .engine(.moves(let item, _, let state, _)):
            unstored.moves(item)
            guard item.facade == .background, state == .failed else { return }
            let since = sessions[item]?.since ?? event.at
            evidence.decides(.week, if: event.at + Self.patience >= since + Self.timeOfTask)
        case .queue(.callback(let session, .progress(_, let done, _, _))):
            let first = sessions[session]?.reached
            if first == nil { sessions[session]?.reached = done }
            if done > first ?? done { sessions[session]?.hasMoved = true }
        default: break
        }
    }

    var reasonNotToJudge: String? { hasEvidence ? nil : "there were no attempts" }

    var clauses: [DecidedClause] {
        evidence.all + refusals.evidence.all + delays.evidence.all
    }

    /// Counts what a hasty or forgetful engine would have done differently in this attempt.
    private mutating func weigh(_ session: Session, attempt number: Int) {
        evidence.decides(.counted, if: session.failures > 0)
        evidence.decides(.keptDespiteProgress, if: session.failures > 0 && session.hasMoved)
        evidence.decides(.keptAcrossLaunches, if: session.failures > 0 && session.wasCut)
        evidence.decides(.renewed, if: session.failures == 0 && session.forgiven > 0)
        guard let backoff = session.backoff else { return }
        evidence.decides(.backoff)
        guard let asked = session.asked, asked.until > backoff else { return }
        evidence.decides(asked.isDate ? .retryDate : .retrySeconds)
    }

    private mutating func judge(_ name: ItemName, attempt number: Int, at now: Instant) {
        var session = sessions[name] ?? Session()
        let since = session.since ?? now
        session.since = since
        weigh(session, attempt: number)
        defer {
            session.failures = number - 1
            session.notBefore = nil
            session.backoff = nil
            session.asked = nil
            session.reached = nil
            (session.hasMoved, session.wasCut, session.forgiven) = (false, false, 0)
            session.remembered = []
            sessions[name] = session
        }
        let expected = session.failures + 1
        if number != expected, !session.remembered.contains(number - 1) {
            return watch.fall(
                expected: "attempt \(expected) of \(name), because \(session.failures) failed",
                seen: "it has the number \(number)")
        }
        if name.facade == .background {
            if now > since + Self.timeOfTask {
                return watch.fall(
                    expected: "\(name) is given up \(Self.timeOfTask) after its first attempt",
                    seen: "attempt \(number) begins")
            }
        } else if name.facade == .operations || name.facade == .bucket, number > 1 {
            return watch.fall(
                expected: "\(name) is tried again only when the app asks for it",
                seen: "attempt \(number) begins")
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

    /// Renews the budget for an explicit run or retry, which does not wait.
    private mutating func renew(_ session: ItemName) {
        count(session)
        let failures = sessions[session]?.failures ?? 0
        sessions[session]?.forgiven = failures
        sessions[session]?.failures = 0
        sessions[session]?.notBefore = nil
        sessions[session]?.backoff = nil
        sessions[session]?.asked = nil
    }

    private mutating func count(_ session: ItemName) {
        let failures = sessions[session]?.failures ?? 0
        if session.facade == .background {
            unstoredTasks.add(failures, of: session)
        } else {
            unstored.add(failures, of: session)
        }
    }

    /// Adds the counts that are possible because the store may lack the last failures.
    private mutating func daemonBegins(on device: UInt16?) {
        // The pauses of an earlier one ended with it.
        // any order: each is forgotten by itself
        for name in sessions.keys where name.facade == .background {
            sessions[name]?.notBefore = nil
            sessions[name]?.backoff = nil
            sessions[name]?.asked = nil
        }
        for entry in unstoredTasks.takeAll(of: device) {
            sessions[entry.item]?.remembered.insert(entry.change)
        }
    }

    private mutating func cut() {
        sessions = sessions.mapValues {
            Session(
                failures: $0.failures, since: $0.since, wasCut: true, remembered: $0.remembered)
        }
        for entry in unstored.entries {
            sessions[entry.item]?.remembered.insert(entry.change)
        }
        unstored.removeAll()
    }

    /// Without an attempt, which has a number, the pause says which failures the store still had.
    private mutating func recall(_ name: ItemName, by pause: TimeSpan?) {
        guard let session = sessions[name], !session.remembered.isEmpty, let pause else { return }
        let possible = session.remembered.union([session.failures]).filter {
            Self.pause(afterFailures: $0 + 1) <= pause
        }
        guard let most = possible.max() else { return }
        sessions[name]?.failures = most
        sessions[name]?.remembered = Set(possible.subtracting([most]).map { $0 + 1 })
    }

    private mutating func judge(
        _ name: ItemName, failingAt now: Instant, pause: TimeSpan?
    ) {
        var session = sessions[name] ?? Session()
        session.failures += 1
        defer { sessions[name] = session }
        guard let pause else {
            let isTriedOnce = name.facade == .operations || name.facade == .bucket
            evidence.decides(.once, if: isTriedOnce)
            evidence.decides(.budget, if: session.failures == Self.retries + 1)
            return
        }
        let least = Self.pause(afterFailures: session.failures)
        evidence.decides(.doubled, if: session.failures > 1)
        session.backoff = now + least
        session.notBefore = max(now + max(pause, least), session.notBefore ?? now)
        guard pause < least else { return }
        watch.fall(
            expected: "\(name) pauses for at least \(least) after failure \(session.failures)",
            seen: "it pauses for \(pause)")
    }

    private static func pause(afterFailures failures: Int) -> TimeSpan {
        var pause = first
        for _ in 1..<max(failures, 1) where pause < longest { pause = pause * 2 }
        return min(pause, longest)
    }
}

extension AttemptsKeepTheirBudget {
    enum Clause: String, ClauseName {
        /// Decided by the failure that spends the budget: an engine that counts wrongly goes on.
        case budget
        /// Decided by each attempt after a pause of its own failure.
        case backoff
        /// Decided by each pause after a second failure in a row: it could be the first one again.
        case doubled = "backoff doubles"
        /// Decided by an attempt after a Retry-After that is longer than the back-off.
        case retrySeconds = "retry-after in seconds"
        case retryDate = "retry-after as a date"
        /// Decided by each attempt after a failure: its number says what was counted.
        case counted = "every failure counts"
        /// Decided by an attempt after a failure before which bytes had been moved: an engine could
        /// take progress for a success.
        case keptDespiteProgress = "progress renews nothing"
        /// Decided by the first attempt of a launch after failures in an earlier one.
        case keptAcrossLaunches = "failures are remembered"
        /// Decided by the first attempt after an explicit run, if there were failures.
        case renewed = "a run renews the budget"
        /// Decided by each failure of an operation or a resumable transfer, which the app retries.
        case once = "no retry unasked"
        /// Decided by a task that fails a week after its first attempt: it could be tried on.
        case week = "a week for a task"

        var sentence: String {
            switch self {
            case .budget: "a session is given up after seven retries"
            case .backoff: "an attempt waits for the pause after a failure"
            case .doubled: "the pause doubles with each failure"
            case .retrySeconds: "an attempt waits as many seconds as the server asked for"
            case .retryDate: "an attempt waits until the date that the server named"
            case .counted: "every failure spends budget"
            case .keptDespiteProgress: "progress does not renew the budget"
            case .keptAcrossLaunches: "a restart does not renew the budget"
            case .renewed: "an explicit run or retry renews the budget"
            case .once: "operations and resumable transfers are retried by the app alone"
            case .week: "a task is given up after a week"
            }
        }
    }
}
