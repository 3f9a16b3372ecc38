import Quantities

/// The background time of one app (B14).
///
///     inFront ──▶ counting     the app leaves the front; its time begins to run
///     counting ──▶ expired     a task is held when only the notice is left: the handlers run
///     expired ──▶ overdue      a task is still held at the deadline, or one was begun at expiry
///     any ──▶ inFront          the app is shown again
///     counting ──▶ counting    what held the app awake has ended: its time runs from then on
/// Without a budget the time never runs out: *counting* is the last state.
struct BackgroundTasks: Hashable, Sendable {
    private(set) var phase = Phase.inFront
    /// The held tasks in the order in which they began.
    private(set) var held: [UInt32] = []

    enum Phase: Hashable, Sendable {
        case inFront
        case counting(since: Instant)
        case expired(deadline: Instant, begunSince: Bool)
    }

    /// The next step that time brings.
    enum Due: Hashable, Sendable {
        case still
        case expire(deadline: Instant)
        case kill(begunAtExpiry: Bool)
    }

    mutating func left(at now: Instant) { phase = .counting(since: now) }

    mutating func shown() { phase = .inFront }

    /// Nothing but tasks holds the app behind any more. Time that is up stays up.
    mutating func released(at now: Instant) {
        if case .counting = phase { left(at: now) }
    }

    /// Begins a task; returns whether it is new.
    mutating func begin(_ task: UInt32) -> Bool {
        guard !held.contains(task) else { return false }
        held.append(task)
        if case .expired(let deadline, _) = phase {
            phase = .expired(deadline: deadline, begunSince: true)
        }
        return true
    }

    /// Ends a task; returns whether it was held.
    mutating func end(_ task: UInt32) -> Bool {
        guard let place = held.firstIndex(of: task) else { return false }
        held.remove(at: place)
        return true
    }

    mutating func expire(at deadline: Instant) {
        phase = .expired(deadline: deadline, begunSince: false)
    }

    /// Returns the deadline of the tasks, if it is known.
    func deadline(by system: OperatingSystem) -> Instant? {
        switch phase {
        case .inFront: nil
        case .counting(let since): system.taskBudget.map { since + $0 }
        case .expired(let deadline, _): deadline
        }
    }

    /// Returns the next due step and its moment.
    func next(by system: OperatingSystem) -> (at: Instant, Due)? {
        switch phase {
        case .inFront: return nil
        case .counting(let since):
            if held.isEmpty { return system.grace.map { (since + $0, .still) } }
            guard let budget = system.taskBudget else { return nil }
            let deadline = since + budget
            let notice = TimeSpan.zero - OperatingSystem.notice
            return (deadline + notice, .expire(deadline: deadline))
        case .expired(let deadline, true): return (deadline, .kill(begunAtExpiry: true))
        case .expired(let deadline, false):
            // No task holds the app any more, so it is suspended at once.
            return held.isEmpty
                ? (.start, .still) : (deadline, .kill(begunAtExpiry: false))
        }
    }
}
